package io.tidemark.kubernetes;

import io.tidemark.record.Bytes;

/** What became of a stored value. */
public sealed interface DecodeResult {

    /**
     * The object as compact JSON in the API server's member order.
     *
     * @param apiVersion as stored, for example {@code apps/v1}
     * @param unknownFields how many fields, at any depth, the tables do not know; they are left
     *     out. Above 0 the cluster is newer than the tables.
     */
    record Json(Bytes json, String apiVersion, String kind, int unknownFields)
            implements DecodeResult {}

    /** No object could be made of it; {@code text} says why, for people. */
    record Refused(Reason reason, String text) implements DecodeResult {}

    /** Why a value was refused; {@link #label} is for metrics. */
    enum Reason {
        /** Encrypted at rest ({@code k8s:enc:…}). */
        ENCRYPTED("encrypted"),
        /** Neither encrypted nor in the protobuf envelope. */
        NOT_PROTOBUF("not_protobuf"),
        /** The tables have no such apiVersion and kind. */
        UNKNOWN_KIND("unknown_kind"),
        /** Not what the envelope or the kind's schema says it is; truncated, for one. */
        MALFORMED("malformed"),
        /** The value, or the JSON made of it, is above the limit. */
        TOO_LARGE("too_large"),
        /** Messages nested deeper than any real object. */
        TOO_DEEP("too_deep");

        private final String label;

        Reason(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }
}
