package io.tidemark.connector.source;

import io.tidemark.etcd.ProgressSupport;

/**
 * etcd's status, from a linearizable read.
 *
 * @param clusterId etcd's cluster id, unsigned
 * @param revision newest revision
 * @param version oldest version among the members, such as 3.5.16, as far as they show it; for
 *     people
 * @param progress how far its progress notifications can be trusted
 */
public record EtcdView(long clusterId, long revision, String version, ProgressSupport progress) {}
