package io.tidemark.store.engine;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Family;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes that are applied atomically, with an overlay to read them before. Keeps one write per key:
 * the last one.
 */
public final class WriteBatch {
    /** Approximate memory of an entry besides its key and value. */
    private static final int ENTRY_OVERHEAD = 64;

    private final EnumMap<Family, Map<Bytes, @Nullable Bytes>> writes = new EnumMap<>(Family.class);
    private boolean clearing;
    private int entries;
    private long bytes;

    /** An empty batch. */
    public WriteBatch() {
        for (Family family : Family.values()) {
            writes.put(family, new LinkedHashMap<>());
        }
    }

    /** Replaces an earlier write of this key in the batch. */
    public void put(Family family, Bytes key, Bytes value) {
        record(family, key, value);
        bytes += value.length();
    }

    /** A key that does not exist stays so. */
    public void delete(Family family, Bytes key) {
        record(family, key, null);
    }

    private void record(Family family, Bytes key, @Nullable Bytes value) {
        writesOf(family).put(key, value);
        entries++;
        bytes += ENTRY_OVERHEAD + key.length();
    }

    /** Drops every entry of every family, and all earlier writes of this batch. */
    public void clearEverything() {
        writes.values().forEach(Map::clear);
        clearing = true;
        entries = 1;
        bytes = 0;
    }

    /** Whether all existing entries are dropped before the {@link #writesOf writes}. */
    public boolean clears() {
        return clearing;
    }

    /** The value of each key; null for a delete. */
    public Map<Bytes, @Nullable Bytes> writesOf(Family family) {
        Map<Bytes, @Nullable Bytes> found = writes.get(family);
        if (found == null) {
            throw new IllegalStateException("no such family: " + family);
        }
        return found;
    }

    /** The value that {@code engine} will return once this is written. */
    public byte @Nullable [] get(KeyValueEngine engine, Family family, Bytes key) {
        Map<Bytes, @Nullable Bytes> overlay = writesOf(family);
        @Nullable Bytes written = overlay.get(key);
        if (written != null) {
            return written.array();
        }
        return clearing || overlay.containsKey(key) ? null : engine.get(family, key);
    }

    /** Whether writing it would change nothing. */
    public boolean isEmpty() {
        return entries == 0;
    }

    /** Writes recorded so far, replaced ones included. */
    public int entries() {
        return entries;
    }

    /** Approximate memory in bytes. */
    public long bytes() {
        return bytes;
    }
}
