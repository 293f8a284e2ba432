/**
 * The group of nodes: which node has which replica, which offsets the group has committed, and its
 * session timeout. Start with {@link io.tidemark.streams.group.Placement}, which {@link
 * io.tidemark.streams.group.ReplicaAssignor} gives to Streams.
 */
@NullMarked
package io.tidemark.streams.group;

import org.jspecify.annotations.NullMarked;
