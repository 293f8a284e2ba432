package io.tidemark.view;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.Projection;

/**
 * Requests the next page, in order, of the changes after a position; it may end inside a revision.
 *
 * @param prefix of the keys
 * @param after exclusive; its {@link ChangePosition#wholeRevision whole revision} at or above the
 *     floor
 * @param throughRevision inclusive; capped at the watermark
 * @param maxChanges at least 1
 * @param maxBytes of objects, at least 1: the page ends with the change that reaches it
 * @param projection how much of each object
 */
public record ChangesRequest(
        Bytes prefix,
        ChangePosition after,
        long throughRevision,
        int maxChanges,
        int maxBytes,
        Projection projection)
        implements ReadRequest<ChangePage> {
    public ChangesRequest {
        if (maxChanges < 1 || maxBytes < 1) {
            throw new IllegalArgumentException(
                    "a page of %d changes, %d bytes".formatted(maxChanges, maxBytes));
        }
    }

    /** After a whole revision. */
    public ChangesRequest(
            Bytes prefix,
            long afterRevision,
            long throughRevision,
            int maxChanges,
            int maxBytes,
            Projection projection) {
        this(
                prefix,
                ChangePosition.endOf(afterRevision),
                throughRevision,
                maxChanges,
                maxBytes,
                projection);
    }

    /** For whole objects. */
    public ChangesRequest(
            Bytes prefix, long afterRevision, long throughRevision, int maxChanges, int maxBytes) {
        this(prefix, afterRevision, throughRevision, maxChanges, maxBytes, Projection.WHOLE);
    }

    @Override
    public long revision() {
        return afterRevision();
    }

    /** The newest revision that has been read completely. */
    public long afterRevision() {
        return after.wholeRevision();
    }
}
