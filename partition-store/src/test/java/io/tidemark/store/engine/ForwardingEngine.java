package io.tidemark.store.engine;

import io.tidemark.record.Bytes;
import org.jspecify.annotations.Nullable;

/** Delegates to another engine; a test overrides what it wants to change. */
public abstract class ForwardingEngine implements KeyValueEngine {
    private final KeyValueEngine engine;

    protected ForwardingEngine(KeyValueEngine engine) {
        this.engine = engine;
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
        return engine.snapshot();
    }

    /** Nothing is cached: every read goes through {@link #snapshot}, which a test may override. */
    @Override
    public Snapshot cachedSnapshot() {
        throw new NotCachedException();
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
