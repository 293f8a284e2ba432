package io.tidemark.etcd;

import io.tidemark.record.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * One key's change, as a watch delivers it. {@code previous} is its value before: present only when
 * the watch requested it, the key existed, and etcd has not compacted it.
 */
public sealed interface KeyChange {
    Bytes key();

    long revision();

    @Nullable KeyValue previous();

    /** Approximate size in memory without {@link #previous}, in bytes; for bounds on batches. */
    default long size() {
        return switch (this) {
            case Put(KeyValue now, _) -> now.size();
            case Delete(Bytes deleted, _, _) -> deleted.length() + 64L;
        };
    }

    record Put(KeyValue now, @Nullable KeyValue previous) implements KeyChange {
        @Override
        public Bytes key() {
            return now.key();
        }

        @Override
        public long revision() {
            return now.modRevision();
        }
    }

    record Delete(Bytes key, long revision, @Nullable KeyValue previous) implements KeyChange {}
}
