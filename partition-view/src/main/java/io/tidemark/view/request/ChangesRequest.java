package io.tidemark.view.request;

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
 * @param directory name of the directories that the keys are in, such as a namespace; empty for
 *     all. A replica of an older release also returns changes of other directories
 */
public record ChangesRequest(
        Bytes prefix,
        ChangePosition after,
        long throughRevision,
        int maxChanges,
        int maxBytes,
        Projection projection,
        Bytes directory)
        implements ReadRequest<ChangePage> {
    private static final byte SLASH = '/';

    public ChangesRequest {
        if (maxChanges < 1 || maxBytes < 1) {
            throw new IllegalArgumentException(
                    "a page of %d changes, %d bytes".formatted(maxChanges, maxBytes));
        }
    }

    /** In all directories. */
    public ChangesRequest(
            Bytes prefix,
            ChangePosition after,
            long throughRevision,
            int maxChanges,
            int maxBytes,
            Projection projection) {
        this(prefix, after, throughRevision, maxChanges, maxBytes, projection, Bytes.EMPTY);
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

    /** The same in directories of one name. */
    public ChangesRequest in(Bytes name) {
        return new ChangesRequest(
                prefix, after, throughRevision, maxChanges, maxBytes, projection, name);
    }

    /** The same in another projection. */
    public ChangesRequest with(Projection other) {
        return other.equals(projection)
                ? this
                : new ChangesRequest(
                        prefix, after, throughRevision, maxChanges, maxBytes, other, directory);
    }

    /** Whether a key has the prefix and is in a directory of the name. */
    public boolean covers(Bytes key) {
        return key.startsWith(prefix) && (directory.length() == 0 || isInDirectory(key));
    }

    private boolean isInDirectory(Bytes key) {
        int end = key.length() - 1;
        while (end >= 0 && key.at(end) != SLASH) {
            end--;
        }
        int from = end - directory.length();
        return from > 0 && key.at(from - 1) == SLASH && key.slice(from, end).equals(directory);
    }

    @Override
    public long revision() {
        return afterRevision();
    }

    /** A replica that lags answers a reader at its watermark with a page that gets no further. */
    @Override
    public boolean isCompleteAnswer(ChangePage page, long watermark) {
        return page.through().compareTo(after) > 0
                || afterRevision() >= Math.min(throughRevision, watermark);
    }

    /** The newest revision that has been read completely. */
    public long afterRevision() {
        return after.wholeRevision();
    }
}
