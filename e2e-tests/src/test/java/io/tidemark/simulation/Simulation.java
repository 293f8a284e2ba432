package io.tidemark.simulation;

import io.tidemark.connector.value.ParallelMap;
import io.tidemark.simulation.promise.Guarantees;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.RecordedReplica;
import io.tidemark.simulation.promise.RecordedWatch;
import io.tidemark.simulation.promise.ReferenceModel;
import io.tidemark.simulation.promise.Violation;
import io.tidemark.simulation.world.FakeEtcd;
import io.tidemark.simulation.world.FakeTopic;
import io.tidemark.simulation.world.Scheduler;
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
 * fake etcd ─► feed state machine ─► fake topic ─► partition stores ─► merge ─► recorded clients
 *     └──────────────────────► reference model ◄── guarantees ◄──────────────────────┘
 * </pre>
 */
final class Simulation {
    private static final ParallelMap IN_THIS_THREAD = new ParallelMap(1);

    /** What a read may take beyond its wait: the way to the connector and back. */
    private static final long SLACK_MILLIS = 100;

    private final Settings settings;
    private final Plan plan;
    private final Scheduler scheduler;
    private final ReferenceModel model = new ReferenceModel(Settings::isMirrored);
    private final FakeEtcd etcd;
    private final FakeTopic topic;
    private final EpochTable epochs;
    private final CommitClock commits;
    private final List<SimulatedNode> nodes;
    private final Faults faults;
    private final List<SimulatedClient> clients;
    private final List<Violation> violations = new ArrayList<>();

    private Simulation(long seed, Settings settings, Plan plan, Mutation mutation) {
        this.settings = settings;
        this.plan = plan;
        this.scheduler = new Scheduler(seed);
        this.etcd = new FakeEtcd(scheduler, model);
        this.topic =
                new FakeTopic(
                        scheduler,
                        settings.partitions(),
                        settings.topic(),
                        Settings.TRANSACTION_TIMEOUT_MILLIS);
        this.epochs = new EpochTable(etcd);
        this.commits = new CommitClock(scheduler, settings.historyMillis());
        this.nodes =
                IntStream.range(0, settings.nodes())
                        .mapToObj(n -> new SimulatedNode(n, scheduler, settings, mutation, topic))
                        .toList();
        Connectors connectors =
                new Connectors(scheduler, etcd, topic, epochs, commits, IN_THIS_THREAD);
        this.faults = new Faults(scheduler, etcd, topic, epochs, commits, connectors, nodes);
        World world =
                new World(scheduler, etcd, settings, mutation, connectors, faults, epochs, nodes);
        this.clients =
                IntStream.range(0, settings.clients())
                        .mapToObj(n -> new SimulatedClient(world, n))
                        .toList();
    }

    /** What came of a run. */
    record Result(
            long seed, Plan plan, List<Violation> violations, List<String> trace, Counts counts) {}

    /** How much happened in a run. */
    record Counts(
            long events, long revisions, long faults, long compacted, long watched, long reads) {}

    static Result run(long seed, Settings settings) {
        Plan plan = Plan.of(seed, settings.millis(), settings.nodes(), settings.partitions());
        return run(seed, settings, plan, Mutation.NONE);
    }

    static Result run(long seed, Settings settings, Plan plan, Mutation mutation) {
        Simulation simulation = new Simulation(seed, settings, plan, mutation);
        try {
            simulation.live();
        } catch (Invariants.BrokenPromise e) {
            simulation.note(e.violation());
        } catch (RuntimeException e) {
            simulation.note(new Violation(Promise.SOUND, describe(e)));
        }
        simulation.judgeClients();
        return simulation.result(seed);
    }

    private static String describe(RuntimeException e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString().lines().limit(8).collect(Collectors.joining(" | "));
    }

    private void live() {
        Invariants invariants = new Invariants(etcd, epochs, nodes, settings.partitions());
        scheduler.afterEachEvent(invariants::check);
        scheduler.every(1_000, 6_000, "probe", () -> probe(0));
        nodes.forEach(SimulatedNode::start);
        faults.begin(plan);
        clients.forEach(SimulatedClient::start);
        scheduler.advance(plan.millis());
        faults.heal();
        scheduler.advance(Settings.QUIET_MILLIS);
        clients.forEach(SimulatedClient::finish);
        probe(Settings.QUIET_MILLIS);
    }

    /** Holds what the clients saw against the promises; also after a run that was cut short. */
    private void judgeClients() {
        Guarantees guarantees = new Guarantees(model, SLACK_MILLIS);
        clients.forEach(client -> guarantees.check(client.record()));
        guarantees.violations().forEach(this::note);
    }

    /** Looks at every node's whole content. */
    private void probe(long millisSinceLastFault) {
        Guarantees guarantees = new Guarantees(model, 0);
        for (int n = 0; n < nodes.size(); n++) {
            String name = "node " + n;
            long epoch = nodes.get(n).view(0).state().epoch();
            Optional<RecordedReplica> replica =
                    ReplicaProbe.probe(
                            name, nodes.get(n), epochs, millisSinceLastFault, floorAllowed(epoch));
            replica.ifPresent(guarantees::check);
            if (replica.isEmpty() && millisSinceLastFault > 0) {
                note(new Violation(Promise.CONVERGENT, name + " does not answer"));
            }
        }
        guarantees.violations().forEach(this::note);
    }

    /** One of each promise will do: what follows is often the same again. */
    private void note(Violation violation) {
        if (violations.stream().noneMatch(known -> known.promise() == violation.promise())) {
            violations.add(violation);
            scheduler.note("broken: " + violation.promise());
        }
    }

    /**
     * Nobody needs to remember what came before the newest list, or what was written longer ago
     * than the cleaner leaves alone (with the margin that stores keep for clocks that differ).
     */
    private long floorAllowed(long epoch) {
        long history = epochs.historyOf(epoch);
        if (history == 0) {
            return 0;
        }
        long sure = settings.lagMillis() - settings.lagMillis() / 10;
        long excused = commits.excusedThrough(scheduler.nowMillis() - sure);
        return Math.max(epochs.listRevisionOf(epoch), model.epoch(history).revisionAt(excused));
    }

    private Result result(long seed) {
        long compacted =
                topic.partitions().stream().mapToLong(partition -> partition.removed()).sum();
        long watched = 0;
        long reads = 0;
        for (SimulatedClient client : clients) {
            reads += client.record().reads().size();
            for (RecordedWatch watch : client.record().watches()) {
                watched += watch.events().size();
            }
        }
        return new Result(
                seed,
                plan,
                violations,
                scheduler.trace(),
                new Counts(
                        scheduler.executed(),
                        model.current().revision(),
                        plan.steps().stream().filter(Step::isFault).count(),
                        compacted,
                        watched,
                        reads));
    }
}
