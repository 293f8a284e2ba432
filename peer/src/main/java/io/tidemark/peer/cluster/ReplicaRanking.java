package io.tidemark.peer.cluster;

import io.tidemark.view.PartitionState;
import io.tidemark.view.request.ReadRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Ranks the replicas for a read. Pure.
 *
 * <p>Only replicas of the expected epoch are asked: the same revision of another epoch is another
 * state. Replicas that can answer in full come first, the local one before all; then those that lag
 * as far as known here, because the known state of a remote replica is a little stale; then those
 * whose floor is too high. Among equals, replicas on nodes that are leaving or silent come last.
 */
final class ReplicaRanking {
    private static final Comparator<Ranked<?>> BEST_FIRST =
            Comparator.<Ranked<?>>comparingInt(Ranked::rank)
                    .thenComparing(Ranked::isDegraded)
                    .thenComparingInt(Ranked::place);

    private ReplicaRanking() {}

    /**
     * @param replicas the local replica first
     * @param rotation which remote replica comes first; differs between nodes, to spread the load
     */
    static <C extends Replica> List<C> order(
            List<C> replicas, ReadRequest<?> request, PartitionState wanted, int rotation) {
        List<Ranked<C>> ranked = new ArrayList<>(replicas.size());
        long through = Math.min(request.throughRevision(), wanted.watermark());
        for (int i = 0; i < replicas.size(); i++) {
            PartitionState state = replicas.get(i).state();
            if (state.ready() && state.epoch() == wanted.epoch()) {
                boolean holds = request.revision() == 0 || state.floor() <= request.revision();
                boolean able = holds && state.watermark() >= through;
                int place = i == 0 ? 0 : 1 + Math.floorMod(i - 1 + rotation, replicas.size() - 1);
                ranked.add(
                        new Ranked<>(
                                replicas.get(i),
                                able ? 0 : holds ? 1 : 2,
                                replicas.get(i).isDegraded(),
                                place));
            }
        }
        ranked.sort(BEST_FIRST);
        List<C> ordered = new ArrayList<>(ranked.size());
        ranked.forEach(each -> ordered.add(each.replica()));
        return ordered;
    }

    private record Ranked<C>(C replica, int rank, boolean isDegraded, int place) {}
}
