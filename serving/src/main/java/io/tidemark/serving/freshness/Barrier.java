package io.tidemark.serving.freshness;

/**
 * etcd's revision at a moment: every write acknowledged before that moment lies at or below it.
 *
 * @param epoch the revision history it belongs to
 */
public record Barrier(long epoch, long revision) {}
