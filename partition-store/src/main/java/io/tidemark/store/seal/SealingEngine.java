package io.tidemark.store.seal;

import io.tidemark.record.Bytes;
import io.tidemark.record.secret.KeyRing;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.layout.KeyLayout;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An engine that encrypts Secrets, and nothing else, in what it passes to another engine, and
 * decrypts them on the way back. Its callers read and write stored objects. A Secret that cannot be
 * decrypted reads as a placeholder.
 */
public final class SealingEngine implements KeyValueEngine {
    private final KeyValueEngine engine;
    private final SealedObject sealed;

    /** The ids of the keys in use; the writer's. */
    private final Set<String> ids = new LinkedHashSet<>();

    /**
     * @param engine closed with this one
     * @param keys the newest ring, read for each value
     */
    public SealingEngine(KeyValueEngine engine, Supplier<KeyRing> keys) {
        this.engine = engine;
        this.sealed = new SealedObject(keys);
        byte @Nullable [] used = engine.get(Family.META, KeyLayout.SEALING_KEYS);
        if (used != null) {
            ids.addAll(List.of(Bytes.wrap(used).utf8().split(" ")));
        }
    }

    /**
     * The engine of a store.
     *
     * @param keys those that seal Secrets; without them it is the engine itself
     */
    public static KeyValueEngine over(KeyValueEngine engine, Optional<Supplier<KeyRing>> keys) {
        return keys.<KeyValueEngine>map(ring -> new SealingEngine(engine, ring)).orElse(engine);
    }

    @Override
    public byte @Nullable [] get(Family family, Bytes key) {
        return opened(family, key, engine.get(family, key));
    }

    private byte @Nullable [] opened(Family family, Bytes key, byte @Nullable [] found) {
        return found != null && SealedObject.isIn(family) && SealedObject.isSealed(found)
                ? sealed.open(family, key, found)
                : found;
    }

    @Override
    public void write(WriteBatch batch) {
        engine.write(sealed(batch));
    }

    /** The batch itself if it has no Secret. */
    private WriteBatch sealed(WriteBatch batch) {
        @Nullable WriteBatch copy = null;
        if (batch.clears()) {
            ids.clear();
        }
        for (Family family : Family.values()) {
            if (!SealedObject.isIn(family)) {
                continue;
            }
            for (Map.Entry<Bytes, @Nullable Bytes> write : batch.writesOf(family).entrySet()) {
                @Nullable Bytes value = write.getValue();
                if (value != null && SealedObject.isPlainSecret(value)) {
                    copy = copy == null ? copyOf(batch) : copy;
                    KeyRing ring = sealed.ring();
                    ids.add(ring.ids().getFirst());
                    copy.put(
                            family,
                            write.getKey(),
                            SealedObject.seal(ring, family, write.getKey(), value));
                }
            }
        }
        if (copy == null) {
            return batch;
        }
        copy.put(Family.META, KeyLayout.SEALING_KEYS, Bytes.utf8(String.join(" ", ids)));
        return copy;
    }

    private static WriteBatch copyOf(WriteBatch batch) {
        WriteBatch copy = new WriteBatch();
        if (batch.clears()) {
            copy.clearEverything();
        }
        for (Family family : Family.values()) {
            copy.writesOf(family).putAll(batch.writesOf(family));
        }
        return copy;
    }

    @Override
    public Snapshot snapshot() {
        return new OpeningSnapshot(engine.snapshot());
    }

    @Override
    public Snapshot cachedSnapshot() {
        return new OpeningSnapshot(engine.cachedSnapshot());
    }

    @Override
    public void flush() {
        engine.flush();
    }

    @Override
    public void flushSoon() {
        engine.flushSoon();
    }

    @Override
    public void close() {
        engine.close();
    }

    private final class OpeningSnapshot implements Snapshot {
        private final Snapshot snapshot;

        OpeningSnapshot(Snapshot snapshot) {
            this.snapshot = snapshot;
        }

        @Override
        public byte @Nullable [] get(Family family, Bytes key) {
            return opened(family, key, snapshot.get(family, key));
        }

        @Override
        public Cursor scan(Family family, Bytes fromInclusive, Bytes toExclusive) {
            Cursor cursor = snapshot.scan(family, fromInclusive, toExclusive);
            return SealedObject.isIn(family) ? new OpeningCursor(family, cursor) : cursor;
        }

        @Override
        public void close() {
            snapshot.close();
        }
    }

    private final class OpeningCursor implements Cursor {
        private final Family family;
        private final Cursor cursor;

        OpeningCursor(Family family, Cursor cursor) {
            this.family = family;
            this.cursor = cursor;
        }

        @Override
        public boolean isValid() {
            return cursor.isValid();
        }

        @Override
        public Bytes key() {
            return cursor.key();
        }

        @Override
        public byte[] value() {
            byte[] found = cursor.value();
            return SealedObject.isSealed(found) ? sealed.open(family, cursor.key(), found) : found;
        }

        /** Only a Secret is read whole. */
        @Override
        public int readValue(byte[] into) {
            int length = cursor.readValue(into);
            if (into.length > 0 && length > 0 && SealedObject.isSealed(into)) {
                byte[] whole = value();
                System.arraycopy(whole, 0, into, 0, Math.min(whole.length, into.length));
                return whole.length;
            }
            return length;
        }

        @Override
        public void next() {
            cursor.next();
        }

        @Override
        public void seek(Bytes keyInclusive) {
            cursor.seek(keyInclusive);
        }

        @Override
        public void close() {
            cursor.close();
        }
    }
}
