/**
 * Keeps up with the replicas of another node, and keeps another node up to date with this node's:
 * state updates, pushed changes, and reads. Threads, connections and the time come from outside.
 * Start with {@link io.tidemark.peer.link.PeerLink} and {@link io.tidemark.peer.link.StateFeed}.
 */
@NullMarked
package io.tidemark.peer.link;

import org.jspecify.annotations.NullMarked;
