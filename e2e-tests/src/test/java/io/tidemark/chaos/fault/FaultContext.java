package io.tidemark.chaos.fault;

import io.tidemark.chaos.client.RetentionHorizon;
import io.tidemark.chaos.process.Cluster;
import io.tidemark.chaos.process.Cluster.Member;
import io.tidemark.chaos.process.ManagedProcess;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a fault works on.
 *
 * @param desiredNodes the intended number of nodes
 * @param keptRevisions that a compaction of etcd keeps
 * @param rolling the state of the rolling upgrades
 * @param horizon notified of gaps in the history that are made on purpose
 */
record FaultContext(
        Cluster cluster,
        ClusterProbe probe,
        SplittableRandom random,
        int desiredNodes,
        long keptRevisions,
        RollingUpgrade rolling,
        RetentionHorizon horizon) {
    /** No node's watchers were hit. */
    static final int NO_SLOT = -1;

    /**
     * What a fault did.
     *
     * @param what in words, with the names of the processes
     * @param slot of the node whose own watchers were hit
     * @param heldMillis how long it was kept up on purpose
     */
    record FaultEffect(String what, int slot, long heldMillis) {
        FaultEffect(String what, int slot) {
            this(what, slot, 0);
        }
    }

    List<Member> runningNodes() {
        return cluster.nodes(ManagedProcess::isRunning);
    }

    List<Member> endedNodes() {
        return cluster.nodes(process -> !process.isAlive());
    }

    /** The leading connector; any of them when that is not known. */
    Member leadingConnector() {
        return probe.leader().orElseGet(() -> pick(cluster.connectors()));
    }

    <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    /** 5 to 60 s: below and above every session timeout and other timeout. */
    long holdMillis() {
        return random.nextLong(5_000, 60_001);
    }

    FaultEffect hit(String done, Member node) {
        return new FaultEffect(done + " " + node, cluster.nodes().indexOf(node));
    }
}
