package io.tidemark.store;

import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Notes where scans begin. */
final class ScanRecorder implements KeyValueEngine {
    private final KeyValueEngine engine;
    private final Family watched;
    private final List<Bytes> begins = new ArrayList<>();

    /**
     * @param watched family whose scans are noted
     */
    ScanRecorder(KeyValueEngine engine, Family watched) {
        this.engine = engine;
        this.watched = watched;
    }

    /** Of the scans since the last call. */
    List<Bytes> takeBegins() {
        List<Bytes> taken = List.copyOf(begins);
        begins.clear();
        return taken;
    }

    @Override
    public byte @Nullable [] get(Family family, Bytes key) {
        return engine.get(family, key);
    }

    @Override
    public void write(WriteBatch batch) {
        engine.write(batch);
    }

    @Override
    public Snapshot snapshot() {
        return new Recorded(engine.snapshot());
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

    private final class Recorded implements Snapshot {
        private final Snapshot snapshot;

        Recorded(Snapshot snapshot) {
            this.snapshot = snapshot;
        }

        @Override
        public byte @Nullable [] get(Family family, Bytes key) {
            return snapshot.get(family, key);
        }

        @Override
        public Cursor scan(Family family, Bytes fromInclusive, Bytes toExclusive) {
            if (family == watched) {
                begins.add(fromInclusive);
            }
            return snapshot.scan(family, fromInclusive, toExclusive);
        }

        @Override
        public void close() {
            snapshot.close();
        }
    }
}
