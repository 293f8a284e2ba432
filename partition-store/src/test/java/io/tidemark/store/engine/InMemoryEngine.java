package io.tidemark.store.engine;

import io.tidemark.record.Bytes;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory engine for tests, which loses what was not flushed when it {@link #crash crashes}.
 * Copies a map when it writes to one that a snapshot or the flushed state still needs.
 */
public final class InMemoryEngine implements KeyValueEngine {
    private static final List<Family> FAMILIES = List.of(Family.values());

    private EnumMap<Family, NavigableMap<Bytes, Bytes>> current = empty();
    private EnumMap<Family, NavigableMap<Bytes, Bytes>> flushed = empty();
    private int openSnapshots;

    /** Families whose map is also that of the flushed state. */
    private final EnumSet<Family> shared = EnumSet.noneOf(Family.class);

    private boolean closed;

    private static EnumMap<Family, NavigableMap<Bytes, Bytes>> empty() {
        EnumMap<Family, NavigableMap<Bytes, Bytes>> maps = new EnumMap<>(Family.class);
        for (Family family : FAMILIES) {
            maps.put(family, new TreeMap<>());
        }
        return maps;
    }

    @Override
    public synchronized byte @Nullable [] get(Family family, Bytes key) {
        return valueOf(current.get(family).get(key));
    }

    @Override
    public synchronized void write(WriteBatch batch) {
        requireOpen();
        if (batch.clears()) {
            current = empty();
            shared.clear();
        }
        for (Family family : FAMILIES) {
            Map<Bytes, @Nullable Bytes> writes = batch.writesOf(family);
            if (writes.isEmpty()) {
                continue;
            }
            if (shared.remove(family) || openSnapshots > 0) {
                current.put(family, new TreeMap<>(current.get(family)));
            }
            NavigableMap<Bytes, Bytes> map = current.get(family);
            for (Map.Entry<Bytes, @Nullable Bytes> write : writes.entrySet()) {
                if (write.getValue() == null) {
                    map.remove(write.getKey());
                } else {
                    map.put(write.getKey(), write.getValue());
                }
            }
        }
    }

    @Override
    public Snapshot cachedSnapshot() {
        return snapshot();
    }

    @Override
    public synchronized Snapshot snapshot() {
        requireOpen();
        openSnapshots++;
        return new MapSnapshot(new EnumMap<>(current));
    }

    @Override
    public synchronized void flush() {
        requireOpen();
        flushed = new EnumMap<>(current);
        shared.addAll(FAMILIES);
    }

    @Override
    public synchronized void flushSoon() {
        flush();
    }

    /** Loses everything since the last flush; usable again afterwards. */
    public synchronized void crash() {
        current = new EnumMap<>(flushed);
        shared.addAll(FAMILIES);
        openSnapshots = 0;
        closed = false;
    }

    /** Flushes; {@link #reopen} makes it usable again. */
    @Override
    public synchronized void close() {
        flush();
        closed = true;
    }

    public synchronized void reopen() {
        closed = false;
    }

    /** How many entries a family has. */
    public synchronized int size(Family family) {
        return current.get(family).size();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the engine is closed");
        }
    }

    private synchronized void snapshotClosed() {
        openSnapshots = Math.max(0, openSnapshots - 1);
    }

    private static byte @Nullable [] valueOf(@Nullable Bytes value) {
        return value == null ? null : value.array();
    }

    private final class MapSnapshot implements Snapshot {
        private final Map<Family, NavigableMap<Bytes, Bytes>> maps;

        MapSnapshot(Map<Family, NavigableMap<Bytes, Bytes>> maps) {
            this.maps = maps;
        }

        @Override
        public byte @Nullable [] get(Family family, Bytes key) {
            return valueOf(maps.get(family).get(key));
        }

        @Override
        public Cursor scan(Family family, Bytes fromInclusive, Bytes toExclusive) {
            return new MapCursor(maps.get(family), fromInclusive, toExclusive);
        }

        @Override
        public void close() {
            snapshotClosed();
        }
    }

    private static final class MapCursor implements Cursor {
        private final NavigableMap<Bytes, Bytes> map;
        private final Bytes toExclusive;
        private @Nullable Iterator<Map.Entry<Bytes, Bytes>> rest;
        private Map.@Nullable Entry<Bytes, Bytes> entry;

        MapCursor(NavigableMap<Bytes, Bytes> map, Bytes fromInclusive, Bytes toExclusive) {
            this.map = map;
            this.toExclusive = toExclusive;
            seek(fromInclusive);
        }

        @Override
        public boolean isValid() {
            return entry != null;
        }

        @Override
        public Bytes key() {
            return entry.getKey();
        }

        @Override
        public byte[] value() {
            return entry.getValue().array();
        }

        @Override
        public void next() {
            if (rest == null) {
                rest = map.tailMap(entry.getKey(), false).entrySet().iterator();
            }
            entry = inRange(rest.hasNext() ? rest.next() : null);
        }

        /** Most seeks read one entry only, so the iterator is made when a second one is read. */
        @Override
        public void seek(Bytes keyInclusive) {
            rest = null;
            entry = inRange(map.ceilingEntry(keyInclusive));
        }

        private Map.@Nullable Entry<Bytes, Bytes> inRange(Map.@Nullable Entry<Bytes, Bytes> found) {
            return found == null
                            || toExclusive.length() > 0
                                    && found.getKey().compareTo(toExclusive) >= 0
                    ? null
                    : found;
        }

        @Override
        public void close() {}
    }
}
