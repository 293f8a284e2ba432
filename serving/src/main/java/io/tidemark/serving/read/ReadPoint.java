package io.tidemark.serving.read;

/**
 * Exactly one revision of some partitions to read at.
 *
 * @param asOfMillis when etcd was last known to have reached at least this revision
 */
public record ReadPoint(PartitionSet partitions, long epoch, long revision, long asOfMillis) {}
