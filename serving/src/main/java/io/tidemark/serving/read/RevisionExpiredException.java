package io.tidemark.serving.read;

import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import java.util.Optional;

/**
 * A revision that a read depends on is compacted (below the floor), or belongs to a replaced
 * history. The right error for the first case depends on the request, so endpoints choose it.
 */
public final class RevisionExpiredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long revision;
    private final long floor;

    /** 0 when the history was not replaced. */
    private final long newEpoch;

    public RevisionExpiredException(long revision, long floor) {
        this("revision %d is below the floor %d".formatted(revision, floor), revision, floor, 0);
    }

    private RevisionExpiredException(String message, long revision, long floor, long newEpoch) {
        super(message, null, false, false);
        this.revision = revision;
        this.floor = floor;
        this.newEpoch = newEpoch;
    }

    /** Another revision history has begun. */
    static RevisionExpiredException replaced(long epoch, long newEpoch) {
        return new RevisionExpiredException(
                "epoch %d has been replaced by epoch %d".formatted(epoch, newEpoch),
                0,
                0,
                newEpoch);
    }

    /** The revision that the read depends on, unless the history was replaced. */
    public long revision() {
        return revision;
    }

    /** The oldest readable revision, unless the history was replaced. */
    public long floor() {
        return floor;
    }

    /** The error for a request that depends on this very revision. */
    public StatusException status() {
        return replacement()
                .orElseGet(() -> StatusErrors.revisionExpired(Long.toString(revision), floor));
    }

    /** The error for clients when another revision history has begun; empty when none has. */
    public Optional<StatusException> replacement() {
        return newEpoch == 0
                ? Optional.empty()
                : Optional.of(StatusErrors.historyReplaced(newEpoch));
    }
}
