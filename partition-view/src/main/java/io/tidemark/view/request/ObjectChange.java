package io.tidemark.view.request;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredObject;
import org.jspecify.annotations.Nullable;

/**
 * One change of one key, with the value after and before it.
 *
 * @param index within the revision, see {@link io.tidemark.record.Change.Put}
 * @param current the value from this revision on; null when the key was deleted
 * @param previous the value before; null when the key did not exist
 */
public record ObjectChange(
        long revision,
        int index,
        Bytes key,
        @Nullable StoredObject current,
        @Nullable StoredObject previous) {
    /** The size of the key, and of both sides as they are stored. */
    public long bytes() {
        return key.length() + bytes(current) + bytes(previous);
    }

    private static long bytes(@Nullable StoredObject side) {
        return side == null ? 0 : side.stored().length;
    }
}
