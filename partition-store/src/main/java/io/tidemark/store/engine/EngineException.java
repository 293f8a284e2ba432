package io.tidemark.store.engine;

/** An engine cannot read or write, for example because the disk is full or its data corrupt. */
public final class EngineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Fault fault;

    /** Faults that callers treat differently. */
    public enum Fault {
        /** The data is corrupt: retrying is useless. */
        CORRUPT,
        /** The disk is full: existing data is correct, and writes succeed once there is space. */
        NO_SPACE,
        OTHER
    }

    /** With the fault {@link Fault#OTHER}. */
    public EngineException(String message, Throwable cause) {
        this(message, cause, Fault.OTHER);
    }

    /**
     * @param message what failed, and where
     */
    public EngineException(String message, Throwable cause, Fault fault) {
        super(message, cause);
        this.fault = fault;
    }

    /** Whether the data is corrupt, so that retrying is useless. */
    public boolean isCorrupt() {
        return fault == Fault.CORRUPT;
    }

    /** Whether a retry can succeed once the disk has space. */
    public boolean isNoSpace() {
        return fault == Fault.NO_SPACE;
    }

    /** With the cause of a storage error, such as a full disk. */
    public String reason() {
        return getMessage() + ": " + getCause();
    }

    /** Whether any cause reports a full disk or an exhausted quota. */
    public static boolean isCausedByFullDisk(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            String message = String.valueOf(each.getMessage());
            if (message.contains("No space left on device")
                    || message.contains("Disk quota exceeded")
                    || (each instanceof EngineException engine && engine.isNoSpace())) {
                return true;
            }
        }
        return false;
    }
}
