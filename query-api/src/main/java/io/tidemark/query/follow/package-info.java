/**
 * Follows the objects of a few etcd directories, for what a node must know of the cluster that it
 * mirrors. Start with {@link io.tidemark.query.follow.DirectoryFollower}.
 */
@NullMarked
package io.tidemark.query.follow;

import org.jspecify.annotations.NullMarked;
