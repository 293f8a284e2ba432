package io.tidemark.connector.value;

/**
 * Numbers the changes of each revision, from 0, across batches. For the changes of one watch, in
 * order; not thread-safe.
 */
public final class RevisionIndex {
    private long revision = -1;
    private int next;

    /** The index of the next change of {@code ofRevision}, which is not below the previous one. */
    int next(long ofRevision) {
        if (ofRevision != revision) {
            revision = ofRevision;
            next = 0;
        }
        return next++;
    }
}
