package io.tidemark.store.engine;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.KeyValueEngine.Snapshot;
import org.jspecify.annotations.Nullable;

/** Delegates to another snapshot; a test overrides what it wants to change. */
abstract class ForwardingSnapshot implements Snapshot {
    private final Snapshot snapshot;

    ForwardingSnapshot(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    @Override
    public byte @Nullable [] get(Family family, Bytes key) {
        return snapshot.get(family, key);
    }

    @Override
    public Cursor scan(Family family, Bytes fromInclusive, Bytes toExclusive) {
        return snapshot.scan(family, fromInclusive, toExclusive);
    }

    @Override
    public void close() {
        snapshot.close();
    }
}
