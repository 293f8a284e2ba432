/**
 * A small client for etcd's v3 API: ranges, transactions, leases, watches with back-pressure and
 * progress. It never resumes, retries or skips silently where that could hide a lost or repeated
 * change. Start with {@link io.tidemark.etcd.EtcdClient} and {@link io.tidemark.etcd.EtcdWatch};
 * how calls reach a member is in {@link io.tidemark.etcd.connection}. Depends on record-format and
 * gRPC only.
 */
@NullMarked
package io.tidemark.etcd;

import org.jspecify.annotations.NullMarked;
