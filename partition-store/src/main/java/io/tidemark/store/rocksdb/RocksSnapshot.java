package io.tidemark.store.rocksdb;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.KeyValueEngine.Snapshot;
import io.tidemark.store.engine.NotCachedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;

/** A RocksDB snapshot. */
final class RocksSnapshot implements Snapshot {
    /** How far a scan of objects reads ahead on disk. */
    private static final int READAHEAD_BYTES = 256 << 10;

    private final RocksEngine engine;
    private final RocksDB db;
    private final org.rocksdb.Snapshot snapshot;
    private final ReadOptions point;
    private final boolean cachedOnly;
    private @Nullable ReadOptions sequential;

    /** Also closed here, since a read that fails may not close those that it has opened. */
    private final List<RocksIterator> iterators = new ArrayList<>();

    /**
     * @param cachedOnly whether reads throw {@link NotCachedException} instead of reading the disk
     */
    RocksSnapshot(RocksEngine engine, RocksDB db, boolean cachedOnly) {
        this.engine = engine;
        this.db = db;
        this.cachedOnly = cachedOnly;
        this.snapshot = db.getSnapshot();
        this.point = new ReadOptions().setSnapshot(snapshot);
        if (cachedOnly) {
            point.setReadTier(ReadTier.BLOCK_CACHE_TIER);
        }
    }

    @Override
    public byte @Nullable [] get(Family family, Bytes key) {
        try {
            return db.get(engine.handle(family), point, key.array());
        } catch (RocksDBException e) {
            throw failed("read", e);
        }
    }

    RuntimeException failed(String what, RocksDBException e) {
        return cachedOnly && isIncomplete(e) ? new NotCachedException() : engine.failed(what, e);
    }

    /** Whether the read needed more than the given tier holds. */
    private static boolean isIncomplete(RocksDBException e) {
        @Nullable Status status = e.getStatus();
        return status != null && status.getCode() == Status.Code.Incomplete;
    }

    @Override
    public Cursor scan(Family family, Bytes fromInclusive, Bytes toExclusive) {
        if (cachedOnly && family != Family.INDEX && family != Family.HISTORY) {
            throw new NotCachedException();
        }
        ReadOptions options =
                switch (family) {
                    case OBJECTS, METADATA, CHECKSUMS, PROTOBUF, PROTOBUF_LENGTH -> sequential();
                    case VERSIONS, HISTORY, INDEX, META -> point;
                };
        RocksIterator iterator = db.newIterator(engine.handle(family), options);
        iterators.add(iterator);
        return new RocksCursor(this, iterator, fromInclusive, toExclusive);
    }

    /** A scan of many objects would evict everything else from the cache for a single use. */
    private ReadOptions sequential() {
        ReadOptions options = sequential;
        if (options == null) {
            options =
                    new ReadOptions()
                            .setSnapshot(snapshot)
                            .setFillCache(false)
                            .setReadaheadSize(READAHEAD_BYTES);
            sequential = options;
        }
        return options;
    }

    @Override
    public void close() {
        iterators.forEach(RocksIterator::close); // Closing again does nothing.
        point.close();
        if (sequential != null) {
            sequential.close();
        }
        db.releaseSnapshot(snapshot);
        snapshot.close();
    }
}
