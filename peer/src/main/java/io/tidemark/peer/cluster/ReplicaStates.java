package io.tidemark.peer.cluster;

import io.tidemark.view.PartitionState;
import java.util.Comparator;
import java.util.List;

/** Where several copies of a partition stand, taken together. Pure. */
final class ReplicaStates {
    private static final Comparator<PartitionState> BY_PROGRESS =
            Comparator.comparing(PartitionState::ready)
                    .thenComparingLong(PartitionState::epoch)
                    .thenComparingLong(PartitionState::watermark)
                    .thenComparingLong(PartitionState::markTimeMillis);

    private ReplicaStates() {}

    /** The newest history that one of them holds or has begun. */
    static long newestEpoch(List<PartitionState> states) {
        return states.stream().mapToLong(PartitionState::epoch).max().orElse(0);
    }

    /**
     * The best of them.
     *
     * @param epochSeen the newest history that any copy has shown so far: none before it is ready
     */
    static PartitionState best(long epochSeen, List<PartitionState> states) {
        PartitionState best = states.stream().max(BY_PROGRESS).orElse(PartitionState.EMPTY);
        return best.epoch() < epochSeen && !best.equals(PartitionState.EMPTY)
                ? waitingFor(epochSeen, best)
                : best;
    }

    /** Not ready until a copy holds the history. */
    static PartitionState waitingFor(long epoch, PartitionState behind) {
        return new PartitionState(
                false,
                epoch,
                behind.clusterId(),
                behind.floor(),
                behind.watermark(),
                behind.lastChangeRevision(),
                behind.appliedOffset(),
                behind.markTimeMillis(),
                behind.unreadable(),
                behind.connector());
    }
}
