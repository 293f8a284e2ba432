package io.tidemark.peer.wire;

import io.tidemark.view.PartitionState;
import java.util.Map;

/**
 * A state update: one frame of a node's states stream.
 *
 * @param leaving whether the node's replicas go soon: others should be read
 * @param moved by partition, the states that have changed; empty in a heartbeat
 * @param changes by partition, in the state's epoch: the changes that led to the state, where the
 *     other node has subscribed
 */
public record StateFrame(
        boolean leaving, Map<Integer, PartitionState> moved, Map<Integer, PushedChanges> changes) {
    public StateFrame {
        moved = Map.copyOf(moved);
        changes = Map.copyOf(changes);
    }
}
