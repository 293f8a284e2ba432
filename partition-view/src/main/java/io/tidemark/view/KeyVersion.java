package io.tidemark.view;

/**
 * One step in the life of a key.
 *
 * @param revision at which it happened
 * @param timeMillis by when the mirror had seen it, so that the state as of this time shows it; 0
 *     when that is not known, as of a version that was there before the history begins
 * @param object what the key holds from this revision on; for {@link Step#DELETED} what it held
 *     last
 */
public record KeyVersion(long revision, long timeMillis, Step step, StoredObject object) {
    /** What happened to the key. */
    public enum Step {
        /** It was not there before. */
        ADDED,
        MODIFIED,
        DELETED
    }
}
