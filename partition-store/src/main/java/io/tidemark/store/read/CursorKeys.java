package io.tidemark.store.read;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.view.object.StoredObject;
import org.jspecify.annotations.Nullable;

/** The etcd keys at the end of the engine's keys: all that exist now, or an index's for a value. */
final class CursorKeys extends KeyStream {
    final Cursor cursor;
    private final Bytes before;

    /**
     * @param before what precedes the etcd key in the engine's; empty where the value is an object
     */
    CursorKeys(Cursor cursor, Bytes before) {
        this.cursor = cursor;
        this.before = before;
        settle();
    }

    private void settle() {
        if (!cursor.isValid()) {
            key = null;
            return;
        }
        Bytes entry = cursor.key();
        key = before.length() == 0 ? entry : entry.slice(before.length(), entry.length());
    }

    @Override
    @Nullable StoredObject object() {
        return key == null || before.length() > 0 ? null : new StoredObject(key, cursor.value());
    }

    @Override
    void next() {
        if (key != null) {
            cursor.next();
            settle();
        }
    }

    /** The key is often the next one, to which a step costs less than a search. */
    @Override
    void advance(Bytes from) {
        if (key != null && key.compareTo(from) < 0) {
            next();
        }
        if (key != null && key.compareTo(from) < 0) {
            cursor.seek(before.concat(from));
            settle();
        }
    }

    @Override
    public void close() {
        cursor.close();
    }
}
