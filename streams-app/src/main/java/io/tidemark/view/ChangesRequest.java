package io.tidemark.view;

import io.tidemark.record.Bytes;

/**
 * One page of changes.
 *
 * @param prefix keys must start with it
 * @param afterRevision exclusive; at or above the floor
 * @param throughRevision inclusive; above the watermark is read as the watermark
 * @param maxChanges at least 1: no further revision is begun after this many changes
 * @param maxBytes at least 1: no further revision is begun after this many bytes of objects
 * @param projection how much of each object
 */
public record ChangesRequest(
        Bytes prefix,
        long afterRevision,
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

    /** For whole objects. */
    public ChangesRequest(
            Bytes prefix, long afterRevision, long throughRevision, int maxChanges, int maxBytes) {
        this(prefix, afterRevision, throughRevision, maxChanges, maxBytes, Projection.WHOLE);
    }
}
