package io.tidemark.store.rocksdb;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.KeyValueEngine.Snapshot;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** A RocksDB snapshot. */
final class RocksSnapshot implements Snapshot {
    /** How far a scan of objects reads ahead on disk. */
    private static final int READAHEAD_BYTES = 256 << 10;

    private final RocksEngine engine;
    private final RocksDB db;
    private final org.rocksdb.Snapshot snapshot;
    private final ReadOptions point;
    private final ReadOptions sequential;

    RocksSnapshot(RocksEngine engine, RocksDB db) {
        this.engine = engine;
        this.db = db;
        this.snapshot = db.getSnapshot();
        this.point = new ReadOptions().setSnapshot(snapshot);
        // A scan of many objects would evict everything else from the cache for a single use.
        this.sequential =
                new ReadOptions()
                        .setSnapshot(snapshot)
                        .setFillCache(false)
                        .setReadaheadSize(READAHEAD_BYTES);
    }

    @Override
    public byte @Nullable [] get(Family family, Bytes key) {
        try {
            return db.get(engine.handle(family), point, key.array());
        } catch (RocksDBException e) {
            throw engine.failed("read", e);
        }
    }

    @Override
    public Cursor scan(Family family, Bytes fromInclusive, Bytes toExclusive) {
        ReadOptions options =
                switch (family) {
                    case OBJECTS, METADATA -> sequential;
                    case VERSIONS, HISTORY, INDEX, META -> point;
                };
        return new RocksCursor(
                engine, db.newIterator(engine.handle(family), options), fromInclusive, toExclusive);
    }

    @Override
    public void close() {
        point.close();
        sequential.close();
        db.releaseSnapshot(snapshot);
        snapshot.close();
    }
}
