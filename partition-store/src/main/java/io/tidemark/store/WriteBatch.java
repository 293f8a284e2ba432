package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.store.KeyValueEngine.Family;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes that belong together, and an overlay to read them before they are written. At most one
 * write for each key: the last one.
 */
public final class WriteBatch {
    /** What an entry costs besides its key and value; a rough figure for bounding memory. */
    private static final int ENTRY_OVERHEAD = 64;

    private final EnumMap<Family, Map<Bytes, @Nullable Bytes>> writes = new EnumMap<>(Family.class);
    private boolean clearing;
    private int entries;
    private long bytes;

    public WriteBatch() {
        for (Family family : Family.values()) {
            writes.put(family, new LinkedHashMap<>());
        }
    }

    public void put(Family family, Bytes key, Bytes value) {
        record(family, key, value);
        bytes += value.length();
    }

    public void delete(Family family, Bytes key) {
        record(family, key, null);
    }

    private void record(Family family, Bytes key, @Nullable Bytes value) {
        writesOf(family).put(key, value);
        entries++;
        bytes += ENTRY_OVERHEAD + key.length();
    }

    /** Drops every entry of every family, and what this batch held so far. */
    public void clearEverything() {
        writes.values().forEach(Map::clear);
        clearing = true;
        entries = 1;
        bytes = 0;
    }

    /** Whether everything is to be dropped before the {@link #writesOf writes} are done. */
    public boolean clears() {
        return clearing;
    }

    /** Each key's value, null where it is to be deleted. */
    public Map<Bytes, @Nullable Bytes> writesOf(Family family) {
        Map<Bytes, @Nullable Bytes> found = writes.get(family);
        if (found == null) {
            throw new IllegalStateException("no such family: " + family);
        }
        return found;
    }

    /** What {@code engine} will answer once this is written. */
    byte @Nullable [] get(KeyValueEngine engine, Family family, Bytes key) {
        Map<Bytes, @Nullable Bytes> overlay = writesOf(family);
        @Nullable Bytes written = overlay.get(key);
        if (written != null) {
            return written.array();
        }
        return clearing || overlay.containsKey(key) ? null : engine.get(family, key);
    }

    public boolean isEmpty() {
        return entries == 0;
    }

    /** Writes recorded so far, those that a later one replaced included. */
    public int entries() {
        return entries;
    }

    /** A rough figure of the memory it takes. */
    public long bytes() {
        return bytes;
    }
}
