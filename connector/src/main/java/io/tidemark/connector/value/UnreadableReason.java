package io.tidemark.connector.value;

import java.util.Locale;

/** Why a value cannot be mirrored as the object it should be; a label of metrics. */
public enum UnreadableReason {
    /** The value is empty. */
    EMPTY,
    /** It looks like JSON, or like text, but is malformed. */
    MALFORMED_JSON,
    /** Valid JSON that is not a Kubernetes object. */
    NO_OBJECT,
    /** Neither text nor a known binary form. */
    BINARY,
    /** Kubernetes protobuf of a kind or version that the decoder has no schema for. */
    UNKNOWN_KIND,
    /** Kubernetes protobuf that is truncated, or does not match its kind's schema. */
    MALFORMED_PROTOBUF,
    /** Encrypted at rest; or a Secret that the followed Tidemark could not decrypt. */
    ENCRYPTED,
    /** Above the topic's or the decoder's size limit. */
    TOO_LARGE,
    /** Its key is reserved for the mirror's control records. */
    RESERVED_KEY;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
