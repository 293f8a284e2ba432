package io.tidemark.connector.value;

import io.tidemark.record.Bytes;

/**
 * Makes JSON of Kubernetes' protobuf encoding ({@code k8s\0} and what follows). Called from several
 * threads at once. The same bytes must always give the same answer: changes are written again after
 * a fault, byte for byte.
 */
@FunctionalInterface
public interface KubernetesDecoder {
    /** Decodes nothing. */
    KubernetesDecoder NONE = (_, _, _) -> new Outcome.Undecoded("protobuf is not decoded");

    /**
     * Never throws because of what {@code value} holds.
     *
     * @param revision for the decoder to print as resource version in its place, if it can
     */
    Outcome decode(Bytes key, Bytes value, long revision);

    /** What came of it. */
    sealed interface Outcome {
        /** The object's JSON; a resource version that is missing is set later. */
        record Json(Bytes json) implements Outcome {}

        /** It could not be decoded: unknown kind, or broken. */
        record Undecoded(String why) implements Outcome {}
    }
}
