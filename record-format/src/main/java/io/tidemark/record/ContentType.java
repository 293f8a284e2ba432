package io.tidemark.record;

/** What the value of a {@link Change.Put} is. The wire name is public: see {@link ChangeCodec}. */
public enum ContentType {
    /** A Kubernetes object as canonical JSON, with metadata.resourceVersion set to its revision. */
    KUBERNETES_JSON("application/json;kubernetes"),
    /** Whatever lies in etcd, byte for byte. */
    RAW("application/octet-stream");

    private final String wireName;

    ContentType(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }
}
