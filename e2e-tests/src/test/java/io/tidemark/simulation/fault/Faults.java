package io.tidemark.simulation.fault;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.record.Bytes;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.TopicRecord;
import io.tidemark.serving.watch.WatchHub;
import io.tidemark.simulation.connector.CommitGaps;
import io.tidemark.simulation.connector.EpochHistories;
import io.tidemark.simulation.connector.SimulatedConnectorGroup;
import io.tidemark.simulation.disk.FakeDisk;
import io.tidemark.simulation.etcd.FakeEtcd;
import io.tidemark.simulation.kafka.FakeTopic;
import io.tidemark.simulation.kafka.TopicMemory;
import io.tidemark.simulation.node.Network;
import io.tidemark.simulation.node.NodeApi;
import io.tidemark.simulation.node.SimulatedConsumerGroup;
import io.tidemark.simulation.node.SimulatedNode;
import io.tidemark.simulation.node.SimulatedReplica;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Plan;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.SkewedClock;
import io.tidemark.simulation.world.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Applies a plan's faults to the world. */
public final class Faults {
    private final Scheduler scheduler;
    private final FakeEtcd etcd;
    private final FakeTopic topic;
    private final CommitGaps commits;
    private final SimulatedConnectorGroup connectors;
    private final SkewedClock connectorClock;
    private final List<SimulatedNode> nodes;
    private final SimulatedConsumerGroup group;
    private final Network network;
    private final EpochHistories epochs;
    private final SharedCondition etcdCuts;
    private final SharedCondition slowEtcd;
    private final SharedCondition kafkaCuts;
    private boolean healed;
    private boolean clockJumped;
    private long lease;
    private long setBackFrom;
    private long etcdCutSinceMillis = Long.MAX_VALUE;

    public Faults(
            Scheduler scheduler,
            FakeEtcd etcd,
            FakeTopic topic,
            CommitGaps commits,
            SimulatedConnectorGroup connectors,
            SkewedClock connectorClock,
            List<SimulatedNode> nodes,
            SimulatedConsumerGroup group,
            Network network,
            EpochHistories epochs) {
        this.scheduler = scheduler;
        this.etcd = etcd;
        this.topic = topic;
        this.commits = commits;
        this.connectors = connectors;
        this.connectorClock = connectorClock;
        this.nodes = nodes;
        this.group = group;
        this.network = network;
        this.epochs = epochs;
        this.etcdCuts = new SharedCondition(this::etcdIsCut);
        this.slowEtcd = new SharedCondition(etcd::slow);
        this.kafkaCuts = new SharedCondition(cut -> topic.reachable(!cut));
    }

    /** A condition that several faults may cause at once: it ends with the last. */
    private final class SharedCondition {
        private final Consumer<Boolean> change;
        private int running;

        SharedCondition(Consumer<Boolean> change) {
            this.change = change;
        }

        void begin(long millis) {
            if (running++ == 0) {
                change.accept(true);
            }
            var unused = scheduler.after(millis, "fault ends", this::end);
        }

        private void end() {
            if (--running == 0 && !healed) {
                change.accept(false);
            }
        }
    }

    public void begin(Plan plan) {
        connectors.begin();
        for (Step step : plan.steps()) {
            var unused = scheduler.after(step.atMillis(), "plan", () -> happen(step));
        }
    }

    /** Every fault ends now, and no further one begins. */
    public void heal() {
        healed = true;
        etcdIsCut(false);
        etcd.slow(false);
        topic.reachable(true);
        network.heal();
        connectors.heal();
        for (SimulatedNode node : nodes) {
            node.pause(false);
            node.disk().full(false);
            for (int p = 0; p < node.partitions(); p++) {
                node.replica(p).pause(false);
            }
            restart(node);
        }
    }

    /** Whether every fault has ended, and no further one begins. */
    public boolean areOver() {
        return healed && !isNodeDown();
    }

    /** Whether a node waits for a commit before it restarts: see {@link #crash}. */
    public boolean isNodeDown() {
        return nodes.stream().anyMatch(node -> !node.isUp());
    }

    /** Whether etcd has been cut off since before a moment. */
    public boolean etcdCutSince(long millis) {
        return etcdCutSinceMillis <= millis;
    }

    /** Whether all clocks have agreed so far. */
    public boolean clocksAgree() {
        return !clockJumped;
    }

    private void happen(Step step) {
        if (healed) {
            return;
        }
        scheduler.note(step::toString);
        switch (step) {
            case Step.Write write -> write(write);
            case Step.DeleteRange(long at, Bytes prefix) ->
                    write(
                            new Step.Write(
                                    at,
                                    etcd.keys(prefix).stream()
                                            .map(key -> new Step.KeyWrite(key, null))
                                            .toList(),
                                    false));
            case Step.ExpireLease _ -> expireLease();
            case Step.CleanTopic _ -> topic.clean();
            case Step.ToEtcd fault -> toEtcd(fault);
            case Step.CutKafka(_, long millis) -> {
                scheduler.count(CoverageEvent.BROKER_CUT);
                kafkaCuts.begin(millis);
            }
            case Step.ForeignRecord foreign ->
                    topic.partitions()
                            .get(foreign.partition() % topic.partitions().size())
                            .appendForeign(record(foreign), topic.clock().millis());
            case Step.CorruptTopic(_, int partition, int back, int records) ->
                    topic.partitions()
                            .get(partition % topic.partitions().size())
                            .corrupt(back, records);
            case Step.CrashConnector(_, boolean all, long down) -> connectors.crash(all, down);
            case Step.PauseConnector(_, long millis) -> connectors.pause(millis);
            case Step.MoveLeadership _ -> connectors.moveLeadership();
            case Step.Relist _ -> connectors.relist();
            case Step.ToNodes fault -> toNodes(fault);
            case Step.JumpClock jump -> jump(jump);
        }
    }

    private static TopicRecord record(Step.ForeignRecord foreign) {
        Bytes key = Bytes.utf8("/registry/pods/blue/foreign" + foreign.serial());
        Bytes text = Bytes.utf8("not of the mirror");
        TopicRecord.Header epoch = new TopicRecord.Header("epoch", "many");
        return switch (foreign.how()) {
            case NO_HEADERS -> new TopicRecord(key, text, List.of());
            case NO_VALUE -> new TopicRecord(key, null, List.of());
            case BAD_MARK ->
                    new TopicRecord(ChangeCodec.CONTROL_PREFIX.concat(key), text, List.of(epoch));
        };
    }

    private void write(Step.Write write) {
        if (etcd.revision() + 1 >= setBackFrom && isSetBackUnnoticed()) {
            return;
        }
        if (write.leased() && lease == 0) {
            lease = etcd.grantLease();
        }
        long revision = etcd.transact(write.asMap(), write.leased() ? lease : 0);
        scheduler.note(() -> "  revision " + revision);
    }

    private void expireLease() {
        if (lease != 0) {
            long unused = etcd.expireLease(lease);
            lease = 0;
        }
    }

    private void toEtcd(Step.ToEtcd fault) {
        switch (fault) {
            case Step.CompactEtcd(_, int keep) -> etcd.compact(etcd.revision() - keep);
            case Step.BreakWatches _ -> etcd.breakStreams();
            case Step.SilenceWatches _ -> etcd.silenceStreams();
            case Step.LoseHistory(_, int lost, Step.Loss how) -> loseHistory(lost, how);
            case Step.CutEtcd(_, long millis) -> {
                scheduler.count(CoverageEvent.ETCD_CUT);
                etcdCuts.begin(millis);
            }
            case Step.SlowEtcd(_, long millis) -> {
                scheduler.count(CoverageEvent.WATCH_STREAMS_SLOW);
                slowEtcd.begin(millis);
            }
        }
    }

    private void loseHistory(int lostRevisions, Step.Loss how) {
        if (isSetBackUnnoticed()) {
            return;
        }
        long through = Math.max(etcd.compactedRevision(), etcd.revision() - lostRevisions);
        lease = 0;
        setBackFrom = 0;
        switch (how) {
            case RESTORED -> {
                scheduler.count(CoverageEvent.ETCD_RESTORED);
                etcd.restore(through, 0);
            }
            case SET_BACK -> {
                if (!connectors.isFollowingBeyond(through) || !isCommittedBeyond(through)) {
                    return;
                }
                scheduler.count(CoverageEvent.ETCD_SET_BACK);
                setBackFrom = through + 1;
                etcd.setBack(through);
            }
            case WIPED -> {
                scheduler.count(CoverageEvent.ETCD_WIPED);
                etcd.wipe();
            }
            case REPLACED -> {
                scheduler.count(CoverageEvent.ETCD_REPLACED);
                etcd.restore(through, 2L * lostRevisions + 1);
            }
        }
    }

    private boolean isCommittedBeyond(long revision) {
        return TopicMemory.resumePoint(topic) instanceof ResumePoint.At at
                && at.revision() > revision;
    }

    /**
     * A cluster that is set back keeps its id. The loss is undetectable if etcd then advances past
     * its former revision before a connector looks, or if no connector was looking and all that is
     * known of the lost part was never committed. So this sets etcd back while a connector follows
     * it, below the committed revision, and lets it accept no writes until the loss is detected.
     */
    private boolean isSetBackUnnoticed() {
        boolean noticed =
                setBackFrom == 0
                        || (TopicMemory.resumePoint(topic)
                                        instanceof ResumePoint.At(long epoch, _, _)
                                && epochs.historyOf(epoch) == etcd.historyNumber());
        setBackFrom = noticed ? 0 : setBackFrom;
        return !noticed;
    }

    private void etcdIsCut(boolean cut) {
        etcdCutSinceMillis = cut ? scheduler.nowMillis() : Long.MAX_VALUE;
        etcd.reachable(!cut);
    }

    private void toNodes(Step.ToNodes fault) {
        switch (fault) {
            case Step.CrashNode(_, int node, boolean wiped, long down) ->
                    crash(node(node), wiped, down);
            case Step.PauseNode(_, int node, long millis) -> pause(node(node), millis);
            case Step.FillDisk(_, int node, long millis) -> {
                scheduler.count(CoverageEvent.DISKS_FULL);
                FakeDisk disk = node(node).disk();
                disk.full(true);
                var unused = scheduler.after(millis, "space", () -> disk.full(false));
            }
            case Step.CorruptKey(_, int node, int partition, Step.Corruption how) ->
                    node(node).replica(partition).corrupt(how);
            case Step.MovePartition(_, int partition, int node) -> {
                // As in crash: the node that takes it may build it from the topic.
                if (!commits.isCommitOverdue()) {
                    group.move(partition, node(node).number());
                }
            }
            case Step.PauseReplica(_, int node, int partition, long millis) -> {
                scheduler.count(CoverageEvent.REPLICAS_PAUSED);
                SimulatedReplica replica = node(node).replica(partition);
                replica.pause(true);
                var unused = scheduler.after(millis, "resume", () -> replica.pause(false));
            }
            case Step.RewindReplica(_, int node, int partition, int records) -> {
                scheduler.count(CoverageEvent.REPLICAS_REWOUND);
                node(node).replica(partition).rewind(records);
            }
            case Step.DegradeLink(_, int from, int to, boolean cut, long millis) ->
                    hinder(node(from).number(), node(to).number(), cut, millis);
        }
    }

    private SimulatedNode node(int number) {
        return nodes.get(number % nodes.size());
    }

    /**
     * Not while the mirror has stood still for long, and no restart or move then: when the topic
     * ends in an aborted transaction older than the compaction lag that no connector has repeated
     * yet, a store cannot know what the cleaner removed of it. That is a limit of the mirror, not
     * of this simulation.
     */
    private void crash(SimulatedNode node, boolean wiped, long downMillis) {
        if (commits.isCommitOverdue() || !node.isUp()) {
            return;
        }
        if (!wiped && scheduler.oneIn(3)) {
            stop(node, downMillis);
            return;
        }
        scheduler.count(wiped ? CoverageEvent.NODES_WIPED : CoverageEvent.NODES_CRASHED);
        node.crash(wiped);
        var unused = scheduler.after(downMillis, "restart", () -> restart(node));
    }

    /** Shuts a node down: it ends its watches first, one after the other. */
    private void stop(SimulatedNode node, long downMillis) {
        scheduler.count(CoverageEvent.NODES_STOPPED);
        NodeApi stopping = node.api();
        node.leave();
        long millis = scheduler.between(50, 1_000);
        WatchHub.Drain drain =
                stopping.hub()
                        .beginDrain(
                                Duration.ofMillis(millis / 2),
                                new SplittableRandom(scheduler.nowMillis()));
        drainOn(stopping, drain);
        stopLater(node, stopping, millis, downMillis);
    }

    private void drainOn(NodeApi stopping, WatchHub.Drain drain) {
        Optional<Duration> pause = drain.next();
        if (pause.isEmpty()) {
            stopping.hub().close();
            return;
        }
        scheduler.count(CoverageEvent.WATCHES_DRAINED);
        var unused =
                scheduler.after(pause.get().toMillis(), "drain", () -> drainOn(stopping, drain));
    }

    private void stopLater(SimulatedNode node, NodeApi stopping, long millis, long downMillis) {
        var unused =
                scheduler.after(
                        millis,
                        "stop",
                        () -> {
                            if (!node.isUp() || node.api() != stopping) {
                                return;
                            }
                            if (commits.isCommitOverdue()) {
                                stopLater(node, stopping, 100, downMillis);
                                return;
                            }
                            node.crash(false);
                            var _ =
                                    scheduler.after(
                                            healed ? 0 : downMillis,
                                            "restart",
                                            () -> restart(node));
                        });
    }

    private void restart(SimulatedNode node) {
        if (node.isUp()) {
            return;
        }
        if (commits.isCommitOverdue()) {
            var unused = scheduler.after(100, "restart", () -> restart(node));
            return;
        }
        node.start();
    }

    private void pause(SimulatedNode node, long millis) {
        scheduler.count(CoverageEvent.NODES_PAUSED);
        node.pause(true);
        var unused = scheduler.after(millis, "resume", () -> node.pause(false));
    }

    private void hinder(int from, int to, boolean cut, long millis) {
        if (from == to) {
            return;
        }
        scheduler.count(cut ? CoverageEvent.LINKS_CUT : CoverageEvent.LINKS_SLOW);
        network.set(from, to, cut ? Network.Condition.CUT : Network.Condition.SLOW);
        var unused =
                scheduler.after(
                        millis, "link", () -> network.set(from, to, Network.Condition.GOOD));
    }

    private void jump(Step.JumpClock jump) {
        scheduler.count(CoverageEvent.CLOCKS_JUMPED);
        clockJumped = true;
        SkewedClock clock =
                switch (jump.clock()) {
                    case NODE -> node(jump.number()).clock();
                    case BROKER -> topic.clock();
                    case CONNECTOR -> connectorClock;
                };
        clock.set(jump.offsetMillis());
    }
}
