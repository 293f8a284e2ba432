package io.tidemark.serving.read;

import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import java.util.Optional;

/**
 * A revision that a read depends on has gone: it lies below the floor, or it belongs to a history
 * that has been replaced. Which refusal the first is depends on what was asked, so endpoints say.
 */
public final class RevisionExpiredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long floor;

    /** 0 when the history goes on. */
    private final long newEpoch;

    public RevisionExpiredException(long revision, long floor) {
        this("revision %d is below the floor %d".formatted(revision, floor), floor, 0);
    }

    private RevisionExpiredException(String message, long floor, long newEpoch) {
        super(message, null, false, false);
        this.floor = floor;
        this.newEpoch = newEpoch;
    }

    /** The whole history has been replaced by another. */
    static RevisionExpiredException replaced(long epoch, long newEpoch) {
        return new RevisionExpiredException(
                "epoch %d has been replaced by epoch %d".formatted(epoch, newEpoch), 0, newEpoch);
    }

    /** The oldest revision that can still be read, while the history goes on. */
    public long floor() {
        return floor;
    }

    /** What clients are told when another revision history has begun; empty when none has. */
    public Optional<StatusException> replacement() {
        return newEpoch == 0
                ? Optional.empty()
                : Optional.of(StatusErrors.historyReplaced(newEpoch));
    }
}
