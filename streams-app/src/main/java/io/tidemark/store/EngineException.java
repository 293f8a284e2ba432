package io.tidemark.store;

/** An engine cannot read or write: the disk is full, or what lies on it is broken. */
public final class EngineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public EngineException(String message, Throwable cause) {
        super(message, cause);
    }
}
