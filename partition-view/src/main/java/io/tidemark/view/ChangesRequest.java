package io.tidemark.view;

import io.tidemark.record.Bytes;

/**
 * One page of changes.
 *
 * @param prefix keys must start with it
 * @param after exclusive; its {@link ChangePosition#wholeRevision whole revision} at or above the
 *     floor
 * @param throughRevision inclusive; above the watermark is read as the watermark
 * @param maxChanges at least 1
 * @param maxBytes of objects, at least 1: no further change is added after so many
 * @param projection how much of each object
 */
public record ChangesRequest(
        Bytes prefix,
        ChangePosition after,
        long throughRevision,
        int maxChanges,
        int maxBytes,
        Projection projection) {
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

    /** The newest revision of which nothing is asked any more. */
    public long afterRevision() {
        return after.wholeRevision();
    }
}
