package io.tidemark.peer.wire;

import io.tidemark.view.PartitionState;
import io.tidemark.view.request.ReadOutcome;

/**
 * The answer to a read.
 *
 * @param state of the replica after the read
 */
public record WireAnswer<T>(PartitionState state, ReadOutcome<T> outcome) {}
