package io.tidemark.store.rocksdb;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** A cursor over a column family. */
final class RocksCursor implements Cursor {
    private final RocksSnapshot snapshot;
    private final RocksIterator iterator;
    private final Bytes toExclusive;
    private @Nullable Bytes key;

    RocksCursor(
            RocksSnapshot snapshot,
            RocksIterator iterator,
            Bytes fromInclusive,
            Bytes toExclusive) {
        this.snapshot = snapshot;
        this.iterator = iterator;
        this.toExclusive = toExclusive;
        seek(fromInclusive);
    }

    @Override
    public boolean isValid() {
        return key != null;
    }

    @Override
    public Bytes key() {
        if (key == null) {
            throw new IllegalStateException("at the end");
        }
        return key;
    }

    @Override
    public byte[] value() {
        return iterator.value();
    }

    @Override
    public int readValue(byte[] into) {
        return iterator.value(into, 0, into.length);
    }

    @Override
    public void next() {
        iterator.next();
        settle();
    }

    @Override
    public void seek(Bytes keyInclusive) {
        iterator.seek(keyInclusive.array());
        settle();
    }

    private void settle() {
        key = null;
        if (iterator.isValid()) {
            Bytes found = Bytes.wrap(iterator.key());
            if (toExclusive.length() == 0 || found.compareTo(toExclusive) < 0) {
                key = found;
            }
            return;
        }
        try {
            iterator.status(); // Distinguishes the end of the data from a failed read.
        } catch (RocksDBException e) {
            throw snapshot.failed("scan", e);
        }
    }

    @Override
    public void close() {
        iterator.close();
    }
}
