package io.tidemark.query.read;

/**
 * A revision that a read depends on has gone: it lies below the floor, or it belongs to a history
 * that has been replaced. Which refusal this is depends on what was asked, so endpoints say.
 */
public final class RevisionExpiredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long floor;
    private final boolean replaced;

    public RevisionExpiredException(long revision, long floor) {
        this("revision %d is below the floor %d".formatted(revision, floor), floor, false);
    }

    private RevisionExpiredException(String message, long floor, boolean replaced) {
        super(message, null, false, false);
        this.floor = floor;
        this.replaced = replaced;
    }

    /** The whole history has been replaced by another. */
    static RevisionExpiredException replaced(long epoch, long newEpoch) {
        return new RevisionExpiredException(
                "epoch %d has been replaced by epoch %d".formatted(epoch, newEpoch), 0, true);
    }

    /** The oldest revision that can still be read. */
    public long floor() {
        return floor;
    }

    /** Whether another revision history has begun. */
    public boolean historyReplaced() {
        return replaced;
    }
}
