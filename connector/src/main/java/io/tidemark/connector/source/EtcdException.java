package io.tidemark.connector.source;

/** A call to etcd did not succeed. */
public sealed class EtcdException extends Exception {
    private static final long serialVersionUID = 1L;

    private EtcdException(String message, Throwable cause) {
        super(message, cause);
    }

    private EtcdException(String message) {
        super(message);
    }

    /** etcd cannot be reached, refuses us, or failed; trying again later may help. */
    public static final class Unavailable extends EtcdException {
        private static final long serialVersionUID = 1L;

        public Unavailable(String message, Throwable cause) {
            super(message, cause);
        }

        public Unavailable(String message) {
            super(message);
        }
    }

    /** The revision asked for has been compacted away. */
    public static final class Compacted extends EtcdException {
        private static final long serialVersionUID = 1L;

        public Compacted(String message) {
            super(message);
        }
    }

    /** The answer is larger than a message may be: ask for fewer keys. */
    public static final class PageTooLarge extends EtcdException {
        private static final long serialVersionUID = 1L;

        public PageTooLarge(String message) {
            super(message);
        }
    }
}
