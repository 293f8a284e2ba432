package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.store.KeyValueEngine.Cursor;
import io.tidemark.store.KeyValueEngine.Family;
import io.tidemark.store.KeyValueEngine.Snapshot;
import io.tidemark.view.StoredObject;
import org.jspecify.annotations.Nullable;

/** Every key of a range that exists now. */
final class ObjectKeys implements KeyStream {
    private final Cursor cursor;
    private @Nullable Bytes key;

    ObjectKeys(Snapshot snapshot, Family family, KeyRange range) {
        cursor = snapshot.scan(family, range.fromInclusive(), range.toExclusive());
        key = cursor.isValid() ? cursor.key() : null;
    }

    @Override
    public @Nullable Bytes key() {
        return key;
    }

    @Override
    public @Nullable StoredObject object() {
        return key == null ? null : new StoredObject(key, cursor.value());
    }

    @Override
    public void next() {
        cursor.next();
        key = cursor.isValid() ? cursor.key() : null;
    }

    @Override
    public void close() {
        cursor.close();
    }
}
