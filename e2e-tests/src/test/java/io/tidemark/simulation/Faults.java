package io.tidemark.simulation;

import io.tidemark.simulation.world.FakeEtcd;
import io.tidemark.simulation.world.FakeTopic;
import io.tidemark.simulation.world.Scheduler;
import java.util.List;

/** Carries a plan out on the world. */
final class Faults {
    private final Scheduler scheduler;
    private final FakeEtcd etcd;
    private final FakeTopic topic;
    private final EpochTable epochs;
    private final CommitClock commits;
    private final Connectors connectors;
    private final List<SimulatedNode> nodes;
    private boolean healed;
    private long lease;
    private int etcdCuts;
    private int kafkaCuts;
    private long etcdCutSinceMillis = Long.MAX_VALUE;
    private long lastFaultEndsAtMillis;

    Faults(
            Scheduler scheduler,
            FakeEtcd etcd,
            FakeTopic topic,
            EpochTable epochs,
            CommitClock commits,
            Connectors connectors,
            List<SimulatedNode> nodes) {
        this.scheduler = scheduler;
        this.etcd = etcd;
        this.topic = topic;
        this.epochs = epochs;
        this.commits = commits;
        this.connectors = connectors;
        this.nodes = nodes;
    }

    void begin(Plan plan) {
        connectors.begin();
        for (Step step : plan.steps()) {
            var unused = scheduler.after(step.atMillis(), "plan", () -> happen(step));
        }
    }

    /** Every fault ends now, and none follows. */
    void heal() {
        healed = true;
        etcdCutSinceMillis = Long.MAX_VALUE;
        etcd.reachable(true);
        topic.reachable(true);
        connectors.resume();
        for (SimulatedNode node : nodes) {
            for (int p = 0; p < node.partitions(); p++) {
                node.replica(p).pause(false);
            }
            if (!node.isUp()) {
                node.start();
            }
        }
    }

    /** True when etcd has been cut off since before a moment. */
    boolean etcdCutSince(long millis) {
        return etcdCutSinceMillis <= millis;
    }

    /** Whether all faults so far, and what had to be caught up after them, are well over. */
    boolean areOver() {
        return scheduler.nowMillis() > lastFaultEndsAtMillis + Settings.QUIET_MILLIS;
    }

    private void happen(Step step) {
        if (healed) {
            return;
        }
        if (!(step instanceof Step.Write)) {
            scheduler.note(step.toString());
        }
        if (step.isFault()) {
            long end = scheduler.nowMillis() + step.durationMillis();
            lastFaultEndsAtMillis = Math.max(lastFaultEndsAtMillis, end);
        }
        switch (step) {
            case Step.Write write -> write(write);
            case Step.ExpireLease _ -> expireLease();
            case Step.CompactEtcd(_, int keep) -> etcd.compact(etcd.revision() - keep);
            case Step.CleanTopic _ -> topic.clean();
            case Step.BreakWatches _ -> etcd.breakStreams();
            case Step.RestoreEtcd(_, int lost) -> restoreEtcd(lost);
            case Step.CutEtcd(_, long millis) -> cutEtcd(millis);
            case Step.CutKafka(_, long millis) -> cutKafka(millis);
            case Step.CrashConnector(_, long down) -> connectors.crashAll(down);
            case Step.PauseConnector(_, long millis) -> connectors.pause(millis);
            case Step.SecondConnector _ -> connectors.start();
            case Step.CrashNode(_, int node, long down) -> stop(nodes.get(node), false, down);
            case Step.WipeNode(_, int node, long down) -> stop(nodes.get(node), true, down);
            case Step.PauseReplica(_, int node, int partition, long millis) -> {
                SimulatedReplica replica = nodes.get(node).replica(partition);
                replica.pause(true);
                var unused = scheduler.after(millis, "resume", () -> replica.pause(false));
            }
            case Step.RewindReplica(_, int node, int partition, int records) ->
                    nodes.get(node).replica(partition).rewind(records);
        }
    }

    private void write(Step.Write write) {
        if (write.leased() && lease == 0) {
            lease = etcd.grantLease();
        }
        long revision = etcd.transact(write.asMap(), write.leased() ? lease : 0);
        scheduler.note(revision + ": " + write.keys().stream().map(Faults::text).toList());
    }

    private static String text(Step.KeyWrite write) {
        return (write.payload() == null ? "-" : "+") + write.key();
    }

    private void expireLease() {
        if (lease != 0) {
            long unused = etcd.expireLease(lease);
            lease = 0;
        }
    }

    private void restoreEtcd(int lostRevisions) {
        etcd.restore(Math.max(etcd.compactedRevision(), etcd.revision() - lostRevisions));
        lease = 0;
        epochs.restored(etcd.clusterId(), etcd.historyNumber());
    }

    private void cutEtcd(long millis) {
        if (etcdCuts++ == 0) {
            etcdCutSinceMillis = scheduler.nowMillis();
            etcd.reachable(false);
        }
        var unused =
                scheduler.after(
                        millis,
                        "etcd is back",
                        () -> {
                            if (--etcdCuts == 0 && !healed) {
                                etcdCutSinceMillis = Long.MAX_VALUE;
                                etcd.reachable(true);
                            }
                        });
    }

    private void cutKafka(long millis) {
        kafkaCuts++;
        topic.reachable(false);
        var unused =
                scheduler.after(
                        millis,
                        "kafka is back",
                        () -> {
                            kafkaCuts--;
                            topic.reachable(kafkaCuts == 0 || healed);
                        });
    }

    /**
     * Not while the mirror has stood still for long: a store that reads the topic when its end is
     * an aborted transaction older than the compaction lag, which nobody has told again yet, cannot
     * know what the cleaner took of it. That is a limit of the mirror, not of this simulation.
     */
    private void stop(SimulatedNode node, boolean wiped, long downMillis) {
        if (commits.isSilent()) {
            return;
        }
        if (wiped) {
            node.wipe();
        } else {
            node.crash();
        }
        var unused =
                scheduler.after(
                        downMillis,
                        "restart",
                        () -> {
                            if (!node.isUp()) {
                                node.start();
                            }
                        });
    }
}
