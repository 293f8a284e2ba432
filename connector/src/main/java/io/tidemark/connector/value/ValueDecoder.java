package io.tidemark.connector.value;

import io.tidemark.record.Bytes;

/**
 * Decodes Kubernetes' protobuf encoding ({@code k8s\0} and what follows) to JSON. Thread-safe. Must
 * be deterministic: changes are written again after a fault, byte for byte.
 */
@FunctionalInterface
public interface ValueDecoder {
    /** Decodes no kind. */
    ValueDecoder NONE =
            (_, _, _) ->
                    new Outcome.Undecoded(UnreadableReason.UNKNOWN_KIND, "protobuf is not decoded");

    /**
     * Never throws because of the content of {@code value}.
     *
     * @param revision for the decoder to insert as resource version, if it can
     */
    Outcome decode(Bytes key, Bytes value, long revision);

    /**
     * How many unknown fields were left out of all objects so far: above 0, the cluster is newer
     * than the decoder. A value that is decoded again counts again.
     */
    default long unknownFields() {
        return 0;
    }

    /** Result of decoding a value. */
    sealed interface Outcome {
        /**
         * The object's JSON.
         *
         * @param canonical whether it is known to be in the form that {@link CanonicalJson} makes,
         *     with the requested resource version; otherwise that follows
         */
        record Json(Bytes json, boolean canonical) implements Outcome {}

        /**
         * The value could not be decoded.
         *
         * @param why for people, in a few words
         */
        record Undecoded(UnreadableReason reason, String why) implements Outcome {}
    }
}
