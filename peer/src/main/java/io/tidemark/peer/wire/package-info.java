/**
 * The wire format between nodes: requests to a partition view, their answers, and replica states.
 * Pure, independent of the transport. Start with {@link io.tidemark.peer.wire.WireVersion}.
 */
@NullMarked
package io.tidemark.peer.wire;

import org.jspecify.annotations.NullMarked;
