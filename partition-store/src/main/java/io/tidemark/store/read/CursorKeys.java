package io.tidemark.store.read;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.view.object.StoredObject;
import org.jspecify.annotations.Nullable;

/** The etcd keys at the end of the engine's keys: all that exist now, or an index's for a value. */
final class CursorKeys extends KeyStream {
    final Cursor cursor;
    private final int keyAt;

    /**
     * @param keyAt where the etcd key begins in the engine's; 0 where the value is an object
     */
    CursorKeys(Cursor cursor, int keyAt) {
        this.cursor = cursor;
        this.keyAt = keyAt;
        settle();
    }

    private void settle() {
        if (!cursor.isValid()) {
            key = null;
            return;
        }
        Bytes entry = cursor.key();
        key = keyAt == 0 ? entry : entry.slice(keyAt, entry.length());
    }

    @Override
    @Nullable StoredObject object() {
        return key == null || keyAt > 0 ? null : new StoredObject(key, cursor.value());
    }

    @Override
    void next() {
        if (key != null) {
            cursor.next();
            settle();
        }
    }

    @Override
    public void close() {
        cursor.close();
    }
}
