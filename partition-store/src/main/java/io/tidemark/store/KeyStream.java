package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.view.StoredObject;
import org.jspecify.annotations.Nullable;

/** Etcd keys of a range, each once, in order. */
interface KeyStream extends AutoCloseable {
    /** The key it stands on; null at the end. */
    @Nullable Bytes key();

    /** What the key holds after every change, where that costs no further read; else null. */
    @Nullable StoredObject object();

    void next();

    @Override
    void close();
}
