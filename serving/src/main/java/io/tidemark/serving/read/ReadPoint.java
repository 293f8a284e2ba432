package io.tidemark.serving.read;

/**
 * What a request reads: exactly one revision of some partitions.
 *
 * @param asOfMillis when etcd was last known to have been in at least this state
 */
public record ReadPoint(PartitionSet partitions, long epoch, long revision, long asOfMillis) {}
