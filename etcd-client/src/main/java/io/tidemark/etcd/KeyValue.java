package io.tidemark.etcd;

import io.tidemark.record.Bytes;

/**
 * A key with its value, as etcd held it at one revision.
 *
 * @param value empty when only keys were requested
 * @param createRevision revision at which the key was last created
 * @param modRevision revision of the last put
 * @param version number of puts since its creation, from 1
 * @param lease id of its lease, 0 for none
 * @param problem why the value could not be read and is empty here; empty when it was read, as
 *     always from etcd
 */
public record KeyValue(
        Bytes key,
        Bytes value,
        long createRevision,
        long modRevision,
        long version,
        long lease,
        String problem) {
    /** With a value that was read. */
    public KeyValue(
            Bytes key,
            Bytes value,
            long createRevision,
            long modRevision,
            long version,
            long lease) {
        this(key, value, createRevision, modRevision, version, lease, "");
    }

    /** Approximate size in memory, in bytes; for bounds on batches. */
    public long size() {
        return (long) key.length() + value.length() + problem.length() + 64;
    }
}
