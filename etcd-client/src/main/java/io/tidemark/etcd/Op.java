package io.tidemark.etcd;

import io.tidemark.record.Bytes;

/** A write inside a {@link Txn}. */
public sealed interface Op {
    /** Sets a key; {@code lease} 0 for none. */
    record Put(Bytes key, Bytes value, long lease) implements Op {
        /** Without a lease. */
        public Put(Bytes key, Bytes value) {
            this(key, value, 0);
        }
    }

    /** Deletes one key; a missing key is neither an error nor a change. */
    record Delete(Bytes key) implements Op {}
}
