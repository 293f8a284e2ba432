package io.tidemark.connector.source;

import io.tidemark.record.Bytes;

/**
 * A key with its value, as etcd stores it.
 *
 * @param createRevision revision at which the key was last created
 * @param modRevision revision of this value
 * @param version number of puts since the creation, from 1
 * @param lease etcd's lease id, 0 for none
 */
public record EtcdKeyValue(
        Bytes key, Bytes value, long createRevision, long modRevision, long version, long lease) {
    /** Approximate size in memory; for bounds on batches. */
    public long size() {
        return (long) key.length() + value.length() + 64;
    }
}
