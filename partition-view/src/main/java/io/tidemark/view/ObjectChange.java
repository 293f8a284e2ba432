package io.tidemark.view;

import io.tidemark.record.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * One change of one key, with both sides.
 *
 * @param index place within the revision, see {@link io.tidemark.record.Change.Put}
 * @param current what the key holds from this revision on; null when it was deleted
 * @param previous what it held just before; null when there was nothing
 */
public record ObjectChange(
        long revision,
        int index,
        Bytes key,
        @Nullable StoredObject current,
        @Nullable StoredObject previous) {
    /** What both sides take, as they are stored. */
    public long bytes() {
        return bytes(current) + bytes(previous);
    }

    private static long bytes(@Nullable StoredObject side) {
        return side == null ? 0 : side.stored().length;
    }
}
