package io.tidemark.etcd;

import io.tidemark.record.Bytes;

/** A condition of a {@link Txn} on one key. */
public sealed interface Compare {
    Bytes key();

    /** The key was last changed at {@code modRevision}; 0 means that it does not exist. */
    record ModRevisionIs(Bytes key, long modRevision) implements Compare {}

    record ValueIs(Bytes key, Bytes value) implements Compare {}

    static Compare absent(Bytes key) {
        return new ModRevisionIs(key, 0);
    }
}
