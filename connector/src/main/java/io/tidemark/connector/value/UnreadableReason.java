package io.tidemark.connector.value;

import java.util.Locale;

/** Why a value or a whole change cannot be mirrored as what it should be; a label of metrics. */
public enum UnreadableReason {
    /** The value is empty. */
    EMPTY,
    /** It begins like JSON, or like text, but is none. */
    MALFORMED_JSON,
    /** Good JSON that is no Kubernetes object. */
    NO_OBJECT,
    /** Neither text nor a known binary form. */
    BINARY,
    /** Kubernetes protobuf of a kind or version that the decoder has no schema for. */
    UNKNOWN_KIND,
    /** Kubernetes protobuf that is truncated, or otherwise not what its kind's schema says. */
    MALFORMED_PROTOBUF,
    /** Encrypted at rest. */
    ENCRYPTED,
    /** Larger than the topic takes, or than is decoded. */
    TOO_LARGE,
    /** Its key is one that the mirror keeps for its own control records. */
    RESERVED_KEY;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
