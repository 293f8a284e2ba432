package io.tidemark.peer.cluster;

import io.tidemark.peer.wire.ViewCall;
import io.tidemark.view.PartitionState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which copies to ask, and in which order. Pure.
 *
 * <p>Only copies of the wanted history are asked: the same revision of another history is another
 * state. Those that can answer in full come first, this node's own before all; behind them those
 * that stand too low as far as is known here, since what is known of a remote copy is a little old.
 * Among equals, those on nodes that are leaving or silent come last.
 */
final class ReplicaRanking {
    private ReplicaRanking() {}

    /**
     * @param copies this node's own first
     * @param rotation which of the remote ones comes first: nodes differ in it, to share the load
     */
    static <C extends Replica> List<C> order(
            List<C> copies, ViewCall<?> call, PartitionState wanted, int rotation) {
        List<Ranked<C>> ranked = new ArrayList<>(copies.size());
        long through = Math.min(call.throughRevision(), wanted.watermark());
        for (int i = 0; i < copies.size(); i++) {
            PartitionState state = copies.get(i).state();
            if (state.ready() && state.epoch() == wanted.epoch()) {
                boolean holds = call.revision() == 0 || state.floor() <= call.revision();
                boolean able = holds && state.watermark() >= through;
                int place = i == 0 ? 0 : 1 + Math.floorMod(i - 1 + rotation, copies.size() - 1);
                ranked.add(
                        new Ranked<>(
                                copies.get(i),
                                able ? 0 : holds ? 1 : 2,
                                copies.get(i).isDegraded(),
                                place));
            }
        }
        ranked.sort(
                Comparator.<Ranked<C>>comparingInt(Ranked::rank)
                        .thenComparing(Ranked::isDegraded)
                        .thenComparingInt(Ranked::place));
        return ranked.stream().map(Ranked::copy).toList();
    }

    private record Ranked<C>(C copy, int rank, boolean isDegraded, int place) {}
}
