package io.tidemark.store;

/** An engine cannot read or write: the disk is full, or what lies on it is broken. */
public final class EngineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Fault fault;

    /** What is at fault. */
    public enum Fault {
        /** The data: trying again is of no use. */
        CORRUPT,
        /** The disk has no space left: what was read is right, and writes succeed later. */
        NO_SPACE,
        OTHER
    }

    public EngineException(String message, Throwable cause) {
        this(message, cause, Fault.OTHER);
    }

    public EngineException(String message, Throwable cause, Fault fault) {
        super(message, cause);
        this.fault = fault;
    }

    /** Whether the data is at fault, so that trying again is of no use. */
    public boolean isCorrupt() {
        return fault == Fault.CORRUPT;
    }

    /** Whether it can be tried again once the disk has space. */
    public boolean isNoSpace() {
        return fault == Fault.NO_SPACE;
    }

    /** Whether the system says that a disk, or the quota on it, is full; by the whole cause. */
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
