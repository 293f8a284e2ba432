/**
 * Digests that two holders of keys compare to prove that they hold the same: sums over keys and
 * revisions, by partition and directory. The connector computes them of etcd, nodes of their
 * stores. Start with {@link io.tidemark.digest.DigestTable}. Pure; depends on the record format
 * alone.
 */
@NullMarked
package io.tidemark.digest;

import org.jspecify.annotations.NullMarked;
