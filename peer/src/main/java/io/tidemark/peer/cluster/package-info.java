/**
 * Combines all replicas of a partition, local and remote, into one view. Start with {@link
 * io.tidemark.peer.cluster.ClusterDirectory}.
 */
@NullMarked
package io.tidemark.peer.cluster;

import org.jspecify.annotations.NullMarked;
