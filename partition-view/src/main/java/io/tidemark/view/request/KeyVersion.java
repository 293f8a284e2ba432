package io.tidemark.view.request;

import io.tidemark.view.object.StoredObject;

/**
 * One step in the life of a key.
 *
 * @param revision at which it happened
 * @param timeMillis by when the mirror had it, so that the state as of this time shows it; 0 when
 *     unknown, because the version is older than the history
 * @param object the key's value from this revision on; for {@link Step#DELETED} its last value
 */
public record KeyVersion(long revision, long timeMillis, Step step, StoredObject object) {
    /** What happened to the key. */
    public enum Step {
        /** The key did not exist before. */
        ADDED,
        MODIFIED,
        DELETED
    }
}
