package io.tidemark.record;

/** Type of a {@link Change.Put}'s value. The wire name is public: see {@link ChangeCodec}. */
public enum ContentType {
    /** A Kubernetes object as canonical JSON, with metadata.resourceVersion set to its revision. */
    KUBERNETES_JSON("application/json;kubernetes"),
    /** The value in etcd, byte for byte. */
    RAW("application/octet-stream");

    private final String wireName;

    ContentType(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }
}
