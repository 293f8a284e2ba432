/**
 * A small client for etcd's v3 API: ranges, transactions, leases, watches with back-pressure and
 * progress. It never resumes, retries or skips behind its caller's back where that could hide a
 * lost or repeated change. Depends on record-format and gRPC only.
 */
@NullMarked
package io.tidemark.etcd;

import org.jspecify.annotations.NullMarked;
