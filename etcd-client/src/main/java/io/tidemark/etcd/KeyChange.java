package io.tidemark.etcd;

import io.tidemark.record.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * One key changed, as told by a watch. {@code previous} is what it held before: only there when the
 * watch asked for it, the key was there, and etcd has not compacted it.
 */
public sealed interface KeyChange {
    Bytes key();

    long revision();

    @Nullable KeyValue previous();

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
