package io.tidemark.connector.sink;

/** The mirror topic could not be written or read. */
public sealed class SinkException extends Exception {
    private static final long serialVersionUID = 1L;

    private SinkException(String message, Throwable cause) {
        super(message, cause);
    }

    private SinkException(String message) {
        super(message);
    }

    /** Wraps Kafka's failure. */
    static Lost lost(Exception e) {
        String message = e.getMessage() == null ? "" : ": " + e.getMessage();
        return new Lost(e.getClass().getSimpleName() + message, e);
    }

    /** Everything written since the last commit is lost; open the sink again and write it again. */
    public static final class Lost extends SinkException {
        private static final long serialVersionUID = 1L;

        public Lost(String message, Throwable cause) {
            super(message, cause);
        }

        public Lost(String message) {
            super(message);
        }
    }

    /** Another producer has fenced this one, which may write no more. */
    public static final class Fenced extends SinkException {
        private static final long serialVersionUID = 1L;

        public Fenced(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The topic has settings that would corrupt the mirror, or records of a newer format. */
    public static final class InvalidTopic extends SinkException {
        private static final long serialVersionUID = 1L;

        public InvalidTopic(String message) {
            super(message);
        }
    }
}
