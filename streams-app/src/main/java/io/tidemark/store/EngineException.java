package io.tidemark.store;

/** An engine cannot read or write: the disk is full, or what lies on it is broken. */
public final class EngineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean broken;

    public EngineException(String message, Throwable cause) {
        this(message, cause, false);
    }

    /**
     * @param broken whether the data is at fault, so that trying again is of no use
     */
    public EngineException(String message, Throwable cause, boolean broken) {
        super(message, cause);
        this.broken = broken;
    }

    /** Whether the data is at fault, so that trying again is of no use. */
    public boolean isBroken() {
        return broken;
    }
}
