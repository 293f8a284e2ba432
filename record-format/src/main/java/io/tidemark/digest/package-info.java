/**
 * What two holders of the same keys compare to prove that they hold the same: sums over keys and
 * their revisions, by partition and directory. The connector makes them of etcd, nodes of their
 * stores. Pure; depends on the record format alone.
 */
@NullMarked
package io.tidemark.digest;

import org.jspecify.annotations.NullMarked;
