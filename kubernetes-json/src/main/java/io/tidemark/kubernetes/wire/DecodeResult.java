package io.tidemark.kubernetes.wire;

import io.tidemark.record.Bytes;

/** The result of decoding a stored value. */
public sealed interface DecodeResult {

    /**
     * The object as compact JSON in the API server's member order.
     *
     * @param apiVersion as stored, for example {@code apps/v1}
     * @param unknownFields number of fields, at any depth, that the tables lack; they are left out.
     *     Above 0 the cluster is newer than the tables.
     * @param canonical whether it is known, without reading the JSON again, to be strict JSON that
     *     has a name, and the requested resource version, in {@code metadata}
     */
    record Json(Bytes json, String apiVersion, String kind, int unknownFields, boolean canonical)
            implements DecodeResult {}

    /** The value cannot be decoded; {@code text} explains why. */
    record Refused(Reason reason, String text) implements DecodeResult {}

    /** Why a value was refused; {@link #label} is for metrics. */
    enum Reason {
        /** Encrypted at rest ({@code k8s:enc:…}). */
        ENCRYPTED("encrypted"),
        /** Neither encrypted nor in the protobuf envelope. */
        NOT_PROTOBUF("not_protobuf"),
        /** The tables have no such apiVersion and kind. */
        UNKNOWN_KIND("unknown_kind"),
        /** Contradicts the envelope or the kind's schema, such as a truncated value. */
        MALFORMED("malformed"),
        /** The value or its JSON exceeds the limit. */
        TOO_LARGE("too_large"),
        /** Messages nest deeper than in any real object. */
        TOO_DEEP("too_deep");

        private final String label;

        Reason(String label) {
            this.label = label;
        }

        /** The value of the metric's label; stable. */
        public String label() {
            return label;
        }
    }
}
