package io.tidemark.simulation;

import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.Violation;
import io.tidemark.simulation.world.FakeEtcd;
import io.tidemark.view.PartitionState;
import java.util.Arrays;
import java.util.List;

/** What must hold after every single event, and is cheap to look at: where each replica stands. */
final class Invariants {
    private final FakeEtcd etcd;
    private final EpochTable epochs;
    private final List<SimulatedNode> nodes;
    private final PartitionState[][] last;

    Invariants(FakeEtcd etcd, EpochTable epochs, List<SimulatedNode> nodes, int partitions) {
        this.etcd = etcd;
        this.epochs = epochs;
        this.nodes = nodes;
        this.last = new PartitionState[nodes.size()][partitions];
        for (PartitionState[] states : last) {
            Arrays.fill(states, PartitionState.EMPTY);
        }
    }

    void check() {
        for (int n = 0; n < nodes.size(); n++) {
            for (int p = 0; p < nodes.get(n).partitions(); p++) {
                PartitionState now = nodes.get(n).view(p).state();
                PartitionState before = last[n][p];
                if (!now.equals(before)) {
                    last[n][p] = now;
                    check("node %d, partition %d".formatted(n, p), before, now);
                }
            }
        }
    }

    private void check(String where, PartitionState before, PartitionState now) {
        if (now.equals(PartitionState.EMPTY) || before.equals(PartitionState.EMPTY)) {
            return;
        }
        if (now.epoch() < before.epoch()) {
            broken(Promise.NO_TIME_TRAVEL, where, before, now);
        }
        boolean sameEpoch = now.epoch() == before.epoch();
        if (sameEpoch && now.ready() && before.ready() && now.watermark() < before.watermark()) {
            broken(Promise.MONOTONIC, where, before, now);
        }
        if (now.ready() && now.floor() > now.watermark()) {
            broken(Promise.RESUMABLE, where, before, now);
        }
        boolean newest = epochs.historyOf(now.epoch()) == epochs.newestHistory();
        if (newest && now.watermark() > etcd.revision()) {
            broken(Promise.BOOKMARKABLE, where, before, now);
        }
    }

    private static void broken(
            Promise promise, String where, PartitionState before, PartitionState now) {
        throw new BrokenPromise(
                new Violation(promise, "%s went from %s to %s".formatted(where, before, now)));
    }

    /** Ends a run at the event that broke a promise. */
    static final class BrokenPromise extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Violation violation;

        BrokenPromise(Violation violation) {
            super(violation.toString());
            this.violation = violation;
        }

        Violation violation() {
            return violation;
        }
    }
}
