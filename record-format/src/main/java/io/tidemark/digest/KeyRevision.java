package io.tidemark.digest;

import io.tidemark.record.Bytes;

/**
 * A key, and the revision of its newest put.
 *
 * @param modRevision as etcd numbers it
 */
public record KeyRevision(Bytes key, long modRevision) {}
