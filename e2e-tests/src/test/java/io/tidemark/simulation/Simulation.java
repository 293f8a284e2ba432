package io.tidemark.simulation;

import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.simulation.client.ListMemory;
import io.tidemark.simulation.client.SimulatedClient;
import io.tidemark.simulation.client.WatchMemory;
import io.tidemark.simulation.client.World;
import io.tidemark.simulation.connector.CommitGaps;
import io.tidemark.simulation.connector.EpochHistories;
import io.tidemark.simulation.connector.SimulatedConnector;
import io.tidemark.simulation.connector.SimulatedConnectorGroup;
import io.tidemark.simulation.etcd.FakeEtcd;
import io.tidemark.simulation.fault.Faults;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.kafka.FakePartition;
import io.tidemark.simulation.kafka.FakeTopic;
import io.tidemark.simulation.kafka.TopicMemory;
import io.tidemark.simulation.model.EpochHistory;
import io.tidemark.simulation.model.ReferenceModel;
import io.tidemark.simulation.node.Network;
import io.tidemark.simulation.node.SimulatedBarriers;
import io.tidemark.simulation.node.SimulatedConsumerGroup;
import io.tidemark.simulation.node.SimulatedNode;
import io.tidemark.simulation.outside.OutsideConsumer;
import io.tidemark.simulation.outside.TopicTable;
import io.tidemark.simulation.probe.Invariants;
import io.tidemark.simulation.probe.KeyReads;
import io.tidemark.simulation.probe.ReplicaProbe;
import io.tidemark.simulation.probe.ReplicaSelection;
import io.tidemark.simulation.probe.RuleReads;
import io.tidemark.simulation.probe.SelectedReads;
import io.tidemark.simulation.probe.TimeReads;
import io.tidemark.simulation.probe.ViewReads;
import io.tidemark.simulation.promise.FleetGuarantees;
import io.tidemark.simulation.promise.Guarantees;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.ReadGuarantees;
import io.tidemark.simulation.promise.RecordedReplica;
import io.tidemark.simulation.promise.Violation;
import io.tidemark.simulation.world.CoverageCounts;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Plan;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import io.tidemark.simulation.world.SkewedClock;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One run: a plan happens to a world made from a seed, and afterwards every promise is held against
 * what was seen.
 *
 * <pre>
 * fake etcd ─► connector's feed ─► fake topic ─► partition stores ─► merge ─► recorded clients
 *     └──────────────────────► reference model ◄── guarantees ◄──────────────────────┘
 * </pre>
 */
public final class Simulation {
    private static final long NEXT_MARK_MILLIS = 1_500;

    /** Within this time a node knows the rules of a state that it shows. */
    private static final long NEXT_RULES_MILLIS = 2_000;

    /** How long a connector waits for a transaction whose writer does not end it. */
    private static final long OPEN_TRANSACTION_MILLIS = 2_000;

    /**
     * How long writing a mirror once more takes, and reading it in a replica, beyond a quiet time.
     */
    private static final long NEW_MIRROR_MILLIS = 2_000;

    private static final long RESTART_MILLIS = 5_000;

    /** How long a connector waits for a watch that is silent although etcd is not idle. */
    private static final long SILENCE_MILLIS = 60_000;

    /** What a read may take beyond its wait: the round trip to the connector. */
    private static final long SLACK_MILLIS = 100;

    private static final long REPAIR_LOOK_MILLIS = 1_000;

    private static final KeyScope EVERYTHING = KeyScope.prefix(Settings.PREFIX);

    private final Settings settings;
    private final Plan plan;
    private final Scheduler scheduler;
    private final ReferenceModel model;
    private final FakeEtcd etcd;
    private final FakeTopic topic;
    private final EpochHistories epochs;
    private final CommitGaps commits;
    private final SimulatedConsumerGroup group;
    private final Network network;
    private final List<SimulatedNode> nodes;
    private final Faults faults;
    private final List<SimulatedClient> clients;
    private final WatchMemory memory;
    private final ListMemory lists;
    private final OutsideConsumer outside;
    private final List<Violation> violations = new ArrayList<>();

    private Simulation(long seed, Plan plan, Mutation mutation, boolean traced) {
        this.settings = plan.settings();
        this.model = new ReferenceModel(settings::mirrors);
        this.plan = plan;
        this.scheduler = new Scheduler(seed, traced);
        this.etcd = new FakeEtcd(scheduler, model);
        etcd.notifiesProgressBelowStart(seed % 2 == 0);
        this.topic =
                new FakeTopic(
                        scheduler,
                        settings.partitions(),
                        new FakePartition.Settings(
                                settings.lagMillis(),
                                settings.deleteRetentionMillis(),
                                settings.segmentRecords(),
                                settings.lagMillis() / 2),
                        Settings.TRANSACTION_TIMEOUT_MILLIS);
        if (!mutation.fences()) {
            topic.disableFencing();
        }
        this.epochs = new EpochHistories(etcd, model);
        this.commits = new CommitGaps(scheduler, settings.historyMillis());
        this.group = new SimulatedConsumerGroup(scheduler, settings);
        this.network = new Network(scheduler, settings);
        SimulatedBarriers barriers = new SimulatedBarriers(scheduler, mutation);
        this.nodes =
                IntStream.range(0, settings.nodes())
                        .mapToObj(n ->
                                new SimulatedNode(
                                        n,
                                        scheduler,
                                        settings,
                                        mutation,
                                        topic,
                                        group,
                                        network,
                                        barriers,
                                        this::note))
                        .toList();
        group.begin(nodes);
        network.begin(nodes);
        SkewedClock connectorClock = new SkewedClock(scheduler);
        SimulatedConnector.Surroundings surroundings =
                new SimulatedConnector.Surroundings(
                        scheduler,
                        settings,
                        etcd,
                        topic,
                        mutation,
                        connectorClock,
                        epochs,
                        commits);
        SimulatedConnectorGroup connectors =
                new SimulatedConnectorGroup(
                        scheduler,
                        settings,
                        etcd,
                        topic,
                        name -> new SimulatedConnector(surroundings, name));
        barriers.begin(connectors);
        this.faults =
                new Faults(
                        scheduler,
                        etcd,
                        topic,
                        commits,
                        connectors,
                        connectorClock,
                        nodes,
                        group,
                        network,
                        epochs);
        this.memory = new WatchMemory(settings);
        this.lists = new ListMemory(settings);
        World world =
                new World(
                        scheduler,
                        etcd,
                        settings,
                        mutation,
                        faults,
                        epochs,
                        nodes,
                        memory,
                        lists,
                        model.rights());
        this.clients =
                IntStream.range(0, settings.clients())
                        .mapToObj(n -> new SimulatedClient(world, n))
                        .toList();
        this.outside =
                new OutsideConsumer(
                        scheduler, topic, settings.secrets(), epochs::modelOf, this::note);
    }

    /**
     * The result of a run.
     *
     * @param events of the scheduler
     * @param trace the notes, empty when the run was not traced
     */
    public record Result(
            long seed,
            Plan plan,
            List<Violation> violations,
            long events,
            CoverageCounts census,
            List<String> trace) {
        boolean breaks(Promise promise) {
            return violations.stream().anyMatch(violation -> violation.promise() == promise);
        }
    }

    public static Result run(long seed) {
        return run(seed, Plan.of(seed), Mutation.NONE, false);
    }

    public static Result run(long seed, Plan plan, Mutation mutation, boolean traced) {
        Simulation simulation = new Simulation(seed, plan, mutation, traced);
        try {
            simulation.live();
        } catch (Invariants.InvariantViolation e) {
            simulation.note(e.violation());
        } catch (RuntimeException e) {
            simulation.note(new Violation(Promise.SOUND, describe(e)));
        }
        simulation.judgeClients();
        return new Result(
                seed,
                plan,
                simulation.violations,
                simulation.scheduler.executed(),
                simulation.scheduler.census(),
                simulation.scheduler.trace());
    }

    private static String describe(RuntimeException e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString().lines().limit(8).collect(Collectors.joining(" | "));
    }

    private void live() {
        Invariants invariants =
                new Invariants(scheduler.census(), etcd, epochs, nodes, settings.partitions());
        scheduler.afterEachEvent(invariants::check);
        if (!plan.corruptsKeys()) {
            scheduler.every(2_000, 12_000, "probe", () -> probe(0));
        }
        if (!plan.corruptsTopic()) {
            outside.start();
        }
        nodes.forEach(SimulatedNode::start);
        faults.begin(plan);
        clients.forEach(SimulatedClient::start);
        scheduler.advance(settings.millis());
        boolean cutFromKafka = !topic.isReachable();
        faults.heal();
        for (int waited = 0; etcd.hasSilentStream() && waited < SILENCE_MILLIS; waited += 500) {
            scheduler.advance(500);
        }
        for (int waited = 0; faults.isNodeDown() && waited < RESTART_MILLIS; waited += 100) {
            scheduler.advance(100);
        }
        if (cutFromKafka) {
            // The next leader waits for the transaction that the cut left open.
            scheduler.advance(OPEN_TRANSACTION_MILLIS);
        }
        if (plan.corruptsTopic()) {
            scheduler.advance(NEW_MIRROR_MILLIS);
        }
        scheduler.note(() -> "all faults are over");
        nodes.forEach(SimulatedNode::readFast);
        scheduler.advance(Settings.QUIET_MILLIS / 2);
        List<Long> marked = TopicMemory.newestMarkMillis(topic);
        scheduler.advance(Settings.QUIET_MILLIS / 2);
        if (TopicMemory.newestMarkMillis(topic).equals(marked)) {
            // The first marks after a list or a gap have no known time; the next follows in a
            // second.
            scheduler.advance(NEXT_MARK_MILLIS);
        }
        if (TopicMemory.newestMarkMillis(topic).equals(marked)) {
            note(new Violation(Promise.HONEST, "etcd is idle, and no mark reports it any more"));
        }
        clients.forEach(SimulatedClient::finish);
        if (plan.corruptsKeys()) {
            checkRepair();
            return;
        }
        probe(Settings.QUIET_MILLIS);
        if (!plan.corruptsTopic()) {
            outside.poll();
        }
        note(TopicTable.difference(topic, epochs, model));
        if (settings.limitsRights()) {
            scheduler.advance(NEXT_RULES_MILLIS);
            nodes.forEach(this::checkNewestRules);
        }
    }

    private void checkNewestRules(SimulatedNode node) {
        PartitionSetStatus newest =
                node.api().status(PartitionSet.of(EVERYTHING, settings.partitions()));
        if (node.isResponsive() && newest.ready()) {
            note(RuleReads.staleness(node.api().access().orElseThrow(), newest));
        }
    }

    private void probeRules(SimulatedNode node) {
        node.api()
                .access()
                .ifPresent(access ->
                        note(RuleReads.contradiction(access, clients, epochs, model.rights())));
    }

    /** Every replica equals etcd again, wherever a key was corrupted. */
    private void checkRepair() {
        Optional<Violation> different = differentReplica();
        for (long waited = 0;
                different.isPresent() && waited < Settings.REPAIR_MILLIS;
                waited += REPAIR_LOOK_MILLIS) {
            scheduler.advance(REPAIR_LOOK_MILLIS);
            different = differentReplica();
        }
        note(different);
    }

    private Optional<Violation> differentReplica() {
        return ReplicaSelection.hosted(nodes, settings.partitions()).stream()
                .map(copies ->
                        ReplicaProbe.probe(
                                        copies.name(),
                                        copies,
                                        epochs,
                                        settings.secrets(),
                                        Settings.QUIET_MILLIS,
                                        0)
                                .map(shown -> FleetGuarantees.convergent(shown, model.current()))
                                .orElseGet(() ->
                                        Optional.of(
                                                new Violation(
                                                        Promise.CONVERGENT,
                                                        copies.name() + " does not answer"))))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Checks what the clients saw against the promises; also after a run that ended early. */
    private void judgeClients() {
        // A request waits for its state, and then for the rules as of it.
        long rules = settings.limitsRights() ? ReadGuarantees.WAIT_MILLIS : 0;
        Guarantees guarantees = new Guarantees(model, SLACK_MILLIS + rules);
        if (!plan.corruptsKeys()) {
            clients.forEach(SimulatedClient::closeOpen);
            clients.forEach(client -> guarantees.check(client.record()));
        }
        memory.peaks().forEach(guarantees::check);
        lists.peaks().forEach(guarantees::check);
        judge(guarantees);
    }

    private void judge(Guarantees guarantees) {
        scheduler.census().count(CoverageEvent.PROMISES_CHECKED, guarantees.checked());
        guarantees.violations().forEach(this::note);
    }

    /** Reads that cost too much for every probe. */
    private void probeOnce() {
        PartitionSet all = PartitionSet.of(EVERYTHING, settings.partitions());
        for (SimulatedNode node : nodes) {
            if (node.isResponsive()) {
                node.stores().forEach(store -> note(SelectedReads.contradiction(store)));
                note(TimeReads.contradiction(node.api(), all));
            }
        }
    }

    /** Checks the whole content of every node's replicas, and of what it reads through peers. */
    private void probe(long millisSinceLastFault) {
        Guarantees guarantees = new Guarantees(model, 0);
        nodes.stream().filter(SimulatedNode::isResponsive).forEach(this::probeRules);
        // It reads every key by itself, so it costs as much as the rest of the probe.
        if (millisSinceLastFault > 0 || scheduler.oneIn(3)) {
            nodes.stream()
                    .filter(SimulatedNode::isResponsive)
                    .flatMap(node -> node.stores().stream())
                    .forEach(store -> note(KeyReads.contradiction(store)));
            nodes.forEach(node -> node.clearSecrets().ifPresent(this::note));
            PartitionSet all = PartitionSet.of(EVERYTHING, settings.partitions());
            nodes.stream()
                    .filter(SimulatedNode::isResponsive)
                    .forEach(node ->
                            note(ViewReads.contradiction(node.api(), all, settings.secrets())));
        }
        if (millisSinceLastFault > 0) {
            probeOnce();
        }
        List<ReplicaSelection> sets =
                new ArrayList<>(ReplicaSelection.hosted(nodes, settings.partitions()));
        if (millisSinceLastFault > 0) {
            sets.addAll(ReplicaSelection.shown(nodes, settings.partitions()));
        }
        for (ReplicaSelection copies : sets) {
            long epoch = copies.view(0).state().epoch();
            Optional<RecordedReplica> replica =
                    ReplicaProbe.probe(
                            copies.name(),
                            copies,
                            epochs,
                            settings.secrets(),
                            millisSinceLastFault,
                            floorAllowed(epoch));
            replica.ifPresent(guarantees::check);
            replica.ifPresent(_ -> checkStatesInsideGaps(copies, epoch));
            if (replica.isEmpty() && millisSinceLastFault > 0 && !hasNodeFarAhead()) {
                note(new Violation(Promise.CONVERGENT, copies.name() + " does not answer"));
            }
        }
        judge(guarantees);
    }

    /**
     * Whether a node's clock was ahead by so much that a record may look older than the compaction
     * lag when it is read. The replica is not ready then until it has looked at the topic's end.
     */
    private boolean hasNodeFarAhead() {
        return nodes.stream()
                .anyMatch(node -> 2 * node.clock().furthestAheadMillis() > settings.lagMillis());
    }

    /** A state that is unknown must not be served either. */
    private void checkStatesInsideGaps(ReplicaSelection copies, long epoch) {
        epochs.modelOf(epoch).map(EpochHistory::hiddenRevisions).orElse(List.of()).stream()
                .filter(revision -> ReplicaProbe.showsState(copies, revision))
                .map(revision ->
                        new Violation(
                                Promise.SNAPSHOT,
                                copies.name() + " shows a state at " + revision + ", in a gap"))
                .forEach(this::note);
    }

    private void note(Optional<Violation> violation) {
        violation.ifPresent(this::note);
    }

    /** One violation of each promise is enough: the next ones often have the same cause. */
    private void note(Violation violation) {
        if (violations.stream().noneMatch(known -> known.promise() == violation.promise())) {
            violations.add(violation);
            scheduler.note(() -> "broken: " + violation);
        }
    }

    /**
     * A store may forget what came before the newest list, and what was written longer ago than the
     * cleaner leaves alone (with the margin that stores keep for clocks that differ, and less if a
     * clock was ahead). A partly forgotten bridged gap shows no state: the store gives up the rest
     * of it too.
     */
    private long floorAllowed(long epoch) {
        Optional<EpochHistory> mirrored = epochs.modelOf(epoch);
        if (mirrored.isEmpty()) {
            return 0;
        }
        long ahead = topic.clock().furthestAheadMillis();
        for (SimulatedNode node : nodes) {
            ahead = Math.max(ahead, node.clock().furthestAheadMillis());
        }
        long sure = settings.historyMillis() - settings.clockMarginMillis() - 2 * ahead;
        long excused = commits.mayForgetThrough(scheduler.nowMillis() - Math.max(0, sure));
        EpochHistory truth = mirrored.get();
        long forgotten = truth.endOfGap(truth.revisionAt(excused));
        return Math.max(epochs.listRevisionOf(epoch), forgotten);
    }
}
