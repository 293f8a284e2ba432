package io.tidemark.connector.source;

/** A call to etcd failed. */
public sealed class EtcdException extends Exception {
    private static final long serialVersionUID = 1L;

    private EtcdException(String message, Throwable cause) {
        super(message, cause);
    }

    private EtcdException(String message) {
        super(message);
    }

    /** etcd is unreachable, refuses the client, or failed; a retry may help. */
    public static final class Unavailable extends EtcdException {
        private static final long serialVersionUID = 1L;

        public Unavailable(String message, Throwable cause) {
            super(message, cause);
        }

        public Unavailable(String message) {
            super(message);
        }
    }

    /** The requested revision is compacted. */
    public static final class Compacted extends EtcdException {
        private static final long serialVersionUID = 1L;

        public Compacted(String message) {
            super(message);
        }
    }

    /** The answer is larger than a gRPC message may be: request fewer keys. */
    public static final class PageTooLarge extends EtcdException {
        private static final long serialVersionUID = 1L;

        public PageTooLarge(String message) {
            super(message);
        }
    }
}
