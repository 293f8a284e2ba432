package io.tidemark.peer.cluster;

import io.tidemark.view.PartitionState;
import java.util.Comparator;
import java.util.List;

/** Combines the states of several replicas of a partition. Pure. */
final class ReplicaStates {
    private static final Comparator<PartitionState> BY_PROGRESS =
            Comparator.comparing(PartitionState::ready)
                    .thenComparingLong(PartitionState::epoch)
                    .thenComparingLong(PartitionState::watermark)
                    .thenComparingLong(PartitionState::markTimeMillis);

    private ReplicaStates() {}

    /** The newest epoch among the states. */
    static long newestEpoch(List<PartitionState> states) {
        long newest = 0;
        for (PartitionState state : states) {
            newest = Math.max(newest, state.epoch());
        }
        return newest;
    }

    /**
     * The best of them.
     *
     * @param epochSeen the newest epoch that any replica has shown: an older one is not ready
     */
    static PartitionState best(long epochSeen, List<PartitionState> states) {
        PartitionState best = states.stream().max(BY_PROGRESS).orElse(PartitionState.EMPTY);
        return best.epoch() < epochSeen && !best.equals(PartitionState.EMPTY)
                ? waitingFor(epochSeen, best)
                : best;
    }

    /**
     * A state that is not ready until a replica has reached the epoch. Revisions of the epoch
     * before say nothing about it, so it has none.
     */
    static PartitionState waitingFor(long epoch, PartitionState behind) {
        return new PartitionState(
                false,
                epoch,
                behind.clusterId(),
                0,
                0,
                0,
                behind.appliedOffset(),
                behind.markTimeMillis(),
                behind.unreadable(),
                behind.connector());
    }
}
