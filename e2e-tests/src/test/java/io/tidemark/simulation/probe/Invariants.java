package io.tidemark.simulation.probe;

import io.tidemark.simulation.connector.EpochHistories;
import io.tidemark.simulation.etcd.FakeEtcd;
import io.tidemark.simulation.node.NodeApi;
import io.tidemark.simulation.node.SimulatedNode;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.Violation;
import io.tidemark.simulation.world.CoverageCounts;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import java.util.Arrays;
import java.util.List;

/** Checks after every event what is cheap to check: the watermark of each replica. */
public final class Invariants {
    private final CoverageCounts census;
    private final FakeEtcd etcd;
    private final EpochHistories epochs;
    private final List<SimulatedNode> nodes;
    private final PartitionState[][] last;

    /** What nodes show of their own and their peers' replicas, since their process began. */
    private final PartitionState[][] shown;

    /** What each node showed after the event before, whether or not it counted. */
    private final PartitionState[][] looked;

    private final NodeApi[] processes;

    /** Of each process: a directory returns the same view of a partition again. */
    private final PartitionView[][] views;

    public Invariants(
            CoverageCounts census,
            FakeEtcd etcd,
            EpochHistories epochs,
            List<SimulatedNode> nodes,
            int partitions) {
        this.census = census;
        this.etcd = etcd;
        this.epochs = epochs;
        this.nodes = nodes;
        this.last = new PartitionState[nodes.size()][partitions];
        this.shown = new PartitionState[nodes.size()][partitions];
        this.looked = new PartitionState[nodes.size()][partitions];
        this.processes = new NodeApi[nodes.size()];
        this.views = new PartitionView[nodes.size()][partitions];
        for (PartitionState[] states : last) {
            Arrays.fill(states, PartitionState.EMPTY);
        }
    }

    public void check() {
        for (int n = 0; n < last.length; n++) {
            PartitionDirectory local = nodes.get(n).local();
            PartitionState[] known = last[n];
            for (int p = 0; p < known.length; p++) {
                PartitionState now = local.view(p).state();
                PartitionState before = known[p];
                if (now == before) {
                    continue;
                }
                known[p] = now;
                census.count(CoverageEvent.INVARIANTS_CHECKED);
                check(n, p, before, now);
            }
            checkShown(n);
        }
    }

    /** A node shows no epoch again once any replica has shown a newer one. */
    private void checkShown(int node) {
        NodeApi api = nodes.get(node).api();
        PartitionState[] known = shown[node];
        if (api != processes[node]) {
            processes[node] = api;
            Arrays.fill(known, PartitionState.EMPTY);
            Arrays.fill(looked[node], PartitionState.EMPTY);
            Arrays.setAll(views[node], api.directory()::view);
        }
        for (int p = 0; p < known.length; p++) {
            PartitionState now = views[node][p].state();
            if (now == looked[node][p]) {
                continue;
            }
            looked[node][p] = now;
            PartitionState before = known[p];
            if (now != before && !isEmpty(now)) {
                known[p] = now;
                if (now.epoch() < before.epoch()) {
                    broken(Promise.NO_TIME_TRAVEL, node, p, before, now);
                }
            }
        }
    }

    private void check(int node, int partition, PartitionState before, PartitionState now) {
        if (isEmpty(now) || isEmpty(before)) {
            return;
        }
        if (now.epoch() < before.epoch()) {
            broken(Promise.NO_TIME_TRAVEL, node, partition, before, now);
        }
        boolean sameEpoch = now.epoch() == before.epoch();
        if (sameEpoch && now.ready() && before.ready() && now.watermark() < before.watermark()) {
            broken(Promise.MONOTONIC, node, partition, before, now);
        }
        if (now.ready() && now.floor() > now.watermark()) {
            broken(Promise.RESUMABLE, node, partition, before, now);
        }
        boolean newest = epochs.historyOf(now.epoch()) == epochs.newestHistory();
        if (newest && now.watermark() > etcd.revision()) {
            broken(Promise.BOOKMARKABLE, node, partition, before, now);
        }
    }

    /** Cheaper than to compare with {@link PartitionState#EMPTY}, after each event. */
    private static boolean isEmpty(PartitionState state) {
        return state.appliedOffset() < 0 && state.epoch() == 0 && !state.ready();
    }

    private static void broken(
            Promise promise, int node, int partition, PartitionState before, PartitionState now) {
        throw new InvariantViolation(
                new Violation(
                        promise,
                        "partition %d of node %d went from %s to %s"
                                .formatted(partition, node, before, now)));
    }

    /** Ends a run at the event that broke a promise. */
    public static final class InvariantViolation extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Violation violation;

        InvariantViolation(Violation violation) {
            super(violation.toString());
            this.violation = violation;
        }

        public Violation violation() {
            return violation;
        }
    }
}
