package io.tidemark.peer.wire;

import io.tidemark.view.PartitionState;
import java.util.Map;

/**
 * What a node says of its copies.
 *
 * @param leaving whether they will be gone soon: others should be read
 * @param moved by partition, those that have moved; none says that the node is alive
 * @param changes by partition, of the history that it stands in: what led there, of those that the
 *     other node follows
 */
public record StateFrame(
        boolean leaving, Map<Integer, PartitionState> moved, Map<Integer, PushedChanges> changes) {
    public StateFrame {
        moved = Map.copyOf(moved);
        changes = Map.copyOf(changes);
    }
}
