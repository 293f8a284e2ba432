/**
 * Reads between nodes. A node serves its replicas to the other nodes on an internal listener, and
 * reads theirs beside its own: any node can answer any request. Start with {@link
 * io.tidemark.peer.PeerNetwork}.
 */
@NullMarked
package io.tidemark.peer;

import org.jspecify.annotations.NullMarked;
