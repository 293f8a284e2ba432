package io.tidemark.store.engine;

import io.tidemark.record.Bytes;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory engine for tests, which loses what was not flushed when it {@link #crash crashes}.
 * Copies a map when it writes to one that a snapshot or the flushed state still needs.
 */
public final class InMemoryEngine implements KeyValueEngine {
    private EnumMap<Family, NavigableMap<Bytes, Bytes>> current = empty();
    private EnumMap<Family, NavigableMap<Bytes, Bytes>> flushed = empty();
    private int openSnapshots;
    private boolean shared;
    private boolean closed;

    private static EnumMap<Family, NavigableMap<Bytes, Bytes>> empty() {
        EnumMap<Family, NavigableMap<Bytes, Bytes>> maps = new EnumMap<>(Family.class);
        for (Family family : Family.values()) {
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
            shared = false;
        } else if (shared || openSnapshots > 0) {
            current.replaceAll((_, map) -> new TreeMap<>(map));
            shared = false;
        }
        for (Family family : Family.values()) {
            NavigableMap<Bytes, Bytes> map = current.get(family);
            for (Map.Entry<Bytes, @Nullable Bytes> write : batch.writesOf(family).entrySet()) {
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
        shared = true;
    }

    @Override
    public synchronized void flushSoon() {
        flush();
    }

    /** Loses everything since the last flush; usable again afterwards. */
    public synchronized void crash() {
        current = new EnumMap<>(flushed);
        shared = true;
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
            NavigableMap<Bytes, Bytes> range = maps.get(family);
            if (toExclusive.length() > 0) {
                range = range.headMap(toExclusive, false);
            }
            return new MapCursor(range, fromInclusive);
        }

        @Override
        public void close() {
            snapshotClosed();
        }
    }

    private static final class MapCursor implements Cursor {
        private final NavigableMap<Bytes, Bytes> range;
        private Iterator<Map.Entry<Bytes, Bytes>> rest;
        private Map.@Nullable Entry<Bytes, Bytes> entry;

        MapCursor(NavigableMap<Bytes, Bytes> range, Bytes fromInclusive) {
            this.range = range;
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
            entry = rest.hasNext() ? rest.next() : null;
        }

        @Override
        public void seek(Bytes keyInclusive) {
            boolean beyond = !range.isEmpty() && keyInclusive.compareTo(range.lastKey()) > 0;
            rest =
                    range.isEmpty() || beyond
                            ? Map.<Bytes, Bytes>of().entrySet().iterator()
                            : range.tailMap(keyInclusive, true).entrySet().iterator();
            next();
        }

        @Override
        public void close() {}
    }
}
