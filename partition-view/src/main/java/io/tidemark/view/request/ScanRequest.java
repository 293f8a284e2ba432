package io.tidemark.view.request;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;

/**
 * Requests the next page, in key order, of the objects of a range as of one revision.
 *
 * @param prefix of the keys
 * @param fromKeyInclusive start of the page; {@link Bytes#EMPTY} for the start of the range
 * @param atRevision at or above the floor, at or below the watermark
 * @param selection filters the objects
 * @param maxObjects at least 1: the page ends after this many objects
 * @param maxBytes at least 1: the page ends with the object that reaches it, so it holds at least
 *     one object, of any size
 * @param projection how much of each object; the selection still applies to whole objects
 */
public record ScanRequest(
        Bytes prefix,
        Bytes fromKeyInclusive,
        long atRevision,
        Selection selection,
        int maxObjects,
        int maxBytes,
        Projection projection)
        implements ReadRequest<ScanPage> {
    public ScanRequest {
        if (maxObjects < 1 || maxBytes < 1) {
            throw new IllegalArgumentException(
                    "a page of %d objects, %d bytes".formatted(maxObjects, maxBytes));
        }
    }

    /** For whole objects. */
    public ScanRequest(
            Bytes prefix,
            Bytes fromKeyInclusive,
            long atRevision,
            Selection selection,
            int maxObjects,
            int maxBytes) {
        this(
                prefix,
                fromKeyInclusive,
                atRevision,
                selection,
                maxObjects,
                maxBytes,
                Projection.WHOLE);
    }

    /** The same in another projection. */
    public ScanRequest with(Projection other) {
        return other.equals(projection)
                ? this
                : new ScanRequest(
                        prefix,
                        fromKeyInclusive,
                        atRevision,
                        selection,
                        maxObjects,
                        maxBytes,
                        other);
    }

    @Override
    public long revision() {
        return atRevision;
    }
}
