package io.tidemark.connector.value;

import io.tidemark.record.Bytes;

/**
 * Makes JSON of Kubernetes' protobuf encoding ({@code k8s\0} and what follows). Called from several
 * threads at once. The same bytes must always give the same answer: changes are written again after
 * a fault, byte for byte.
 */
@FunctionalInterface
public interface ValueDecoder {
    /** Knows no kind. */
    ValueDecoder NONE =
            (_, _, _) ->
                    new Outcome.Undecoded(UnreadableReason.UNKNOWN_KIND, "protobuf is not decoded");

    /**
     * Never throws because of what {@code value} holds.
     *
     * @param revision for the decoder to print as resource version in its place, if it can
     */
    Outcome decode(Bytes key, Bytes value, long revision);

    /**
     * How many fields were left out of all objects so far because the decoder does not know them:
     * above 0, the cluster is newer than the decoder. A value that is decoded again counts again.
     */
    default long unknownFields() {
        return 0;
    }

    /** What came of it. */
    sealed interface Outcome {
        /** The object's JSON; a resource version that is missing is set later. */
        record Json(Bytes json) implements Outcome {}

        /**
         * It could not be decoded.
         *
         * @param why for people, in a few words
         */
        record Undecoded(UnreadableReason reason, String why) implements Outcome {}
    }
}
