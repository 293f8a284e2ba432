package io.tidemark.connector.source;

import io.tidemark.record.Bytes;

/** One change of one key, as etcd's watch delivers it. */
public sealed interface EtcdEvent {
    Bytes key();

    long modRevision();

    /** Approximate size in memory; for bounds on batches. */
    long size();

    /** A key got a value. */
    record Put(EtcdKeyValue keyValue) implements EtcdEvent {
        @Override
        public Bytes key() {
            return keyValue.key();
        }

        @Override
        public long modRevision() {
            return keyValue.modRevision();
        }

        @Override
        public long size() {
            return keyValue.size();
        }
    }

    /** A key was deleted, or its lease expired. */
    record Delete(Bytes key, long modRevision) implements EtcdEvent {
        @Override
        public long size() {
            return key.length() + 64L;
        }
    }
}
