package io.tidemark.store.read;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredObject;
import org.jspecify.annotations.Nullable;

/** A cursor over etcd keys of a range, each once, in order. */
abstract class KeyStream implements AutoCloseable {
    /** The current key; null at the end. */
    @Nullable Bytes key;

    /** The key's newest version, where that costs no further read; else null. */
    @Nullable StoredObject object() {
        return null;
    }

    /** Moves to the next key; does nothing at the end. */
    abstract void next();

    /** Moves to the first key at or after {@code from}; does nothing when it is there or after. */
    void advance(Bytes from) {
        while (key != null && key.compareTo(from) < 0) {
            next();
        }
    }

    @Override
    public void close() {}
}
