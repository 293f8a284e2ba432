package io.tidemark.simulation;

import io.tidemark.record.Bytes;
import io.tidemark.store.KeyValueEngine;
import io.tidemark.store.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Drops, with each superseded version that is trimmed, the one behind it. */
final class TrimmingEngine implements KeyValueEngine {
    private final KeyValueEngine engine;

    TrimmingEngine(KeyValueEngine engine) {
        this.engine = engine;
    }

    @Override
    public byte @Nullable [] get(Family family, Bytes key) {
        return engine.get(family, key);
    }

    @Override
    public void write(WriteBatch batch) {
        List<Bytes> tooMuch = new ArrayList<>();
        for (Map.Entry<Bytes, @Nullable Bytes> write : batch.writesOf(Family.VERSIONS).entrySet()) {
            if (write.getValue() == null) {
                nextOf(write.getKey(), tooMuch);
            }
        }
        tooMuch.forEach(key -> batch.delete(Family.VERSIONS, key));
        engine.write(batch);
    }

    private void nextOf(Bytes key, List<Bytes> into) {
        try (Snapshot snapshot = engine.snapshot();
                Cursor cursor = snapshot.scan(Family.VERSIONS, key.successor(), Bytes.EMPTY)) {
            if (cursor.isValid()) {
                into.add(cursor.key());
            }
        }
    }

    @Override
    public Snapshot snapshot() {
        return engine.snapshot();
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
}
