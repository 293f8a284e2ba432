package io.tidemark.etcd.connection;

import org.jspecify.annotations.Nullable;

/** A failed call to etcd, with the kind of failure. */
public final class EtcdException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Kind kind;

    /**
     * @param message for people: what failed, and what to do
     */
    public EtcdException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** What went wrong, for callers that react to it. */
    public Kind kind() {
        return kind;
    }

    /** Failures that a caller treats differently. */
    public enum Kind {
        /**
         * No endpoint answered, or the cluster has no leader: retry later. A write may or may not
         * have happened.
         */
        UNAVAILABLE,
        /** The requested revision is compacted: list at a newer one. */
        COMPACTED,
        /** The requested revision does not exist yet: another cluster, or one that was reset. */
        FUTURE_REVISION,
        /**
         * What was read so far is of more than one cluster: discard all of it, and read from the
         * beginning.
         */
        OTHER_CLUSTER,
        /** Wrong user, password, certificate or permission. */
        AUTH,
        /** The request exceeds etcd's limit, or the answer this client's. */
        TOO_LARGE,
        /** No answer in time. A write may or may not have happened. */
        DEADLINE,
        /** Any other failure, including an interrupted thread. */
        OTHER
    }
}
