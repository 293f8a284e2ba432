package io.tidemark.etcd;

import org.jspecify.annotations.Nullable;

/** A call to etcd that did not succeed: what kind of failure, and what to do about it. */
public final class EtcdException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Kind kind;

    public EtcdException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /** Failures that a caller treats differently. */
    public enum Kind {
        /**
         * No endpoint answered, or the cluster has no leader: try again later. A write may or may
         * not have happened.
         */
        UNAVAILABLE,
        /** The revision asked for is compacted away: list again at a newer one. */
        COMPACTED,
        /** The revision asked for does not exist yet: another cluster, or one that was reset. */
        FUTURE_REVISION,
        /** Wrong user, password, certificate or permission. */
        AUTH,
        /** The request is larger than etcd takes, or the answer larger than we take. */
        TOO_LARGE,
        /** No answer in time. A write may or may not have happened. */
        DEADLINE,
        /** Anything else, also a thread that was interrupted. */
        OTHER
    }
}
