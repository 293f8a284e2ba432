package io.tidemark.chaos;

import io.tidemark.chaos.check.Judge;
import io.tidemark.chaos.client.HealthLooks;
import io.tidemark.chaos.client.Horizon;
import io.tidemark.chaos.client.NodeTable;
import io.tidemark.chaos.client.ReadLoad;
import io.tidemark.chaos.client.WatchClient;
import io.tidemark.chaos.fault.ClusterProbe;
import io.tidemark.chaos.fault.FaultKind;
import io.tidemark.chaos.fault.FaultResult;
import io.tidemark.chaos.fault.FaultSchedule;
import io.tidemark.chaos.fault.Wholeness;
import io.tidemark.chaos.load.Acknowledged;
import io.tidemark.chaos.load.TruthWatch;
import io.tidemark.chaos.load.Writer;
import io.tidemark.chaos.process.Cluster;
import io.tidemark.chaos.process.TopicRemains;
import io.tidemark.chaos.report.ChaosReport;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.EtcdOptions;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One run: the cluster comes up, clients begin to record, faults happen one after the other, and in
 * the end everything that was recorded is judged.
 */
public final class ChaosRun {
    private static final Duration FIRST_WHOLE = Duration.ofMinutes(5);
    private static final Duration CATCH_UP = Duration.ofMinutes(3);

    private final ChaosOptions options;
    private final Consumer<String> progress;
    private final SplittableRandom random;
    private final Acknowledged acknowledged = new Acknowledged();
    private final Horizon horizon;
    private final WatcherFleet fleet;
    private final List<FaultResult> results = new ArrayList<>();
    private final Diary diary;
    private final List<Violation> failures = new ArrayList<>();
    private final long beganNanos = System.nanoTime();

    /**
     * @param progress gets a line now and then
     */
    public ChaosRun(ChaosOptions options, Consumer<String> progress) {
        this.options = options;
        this.progress = progress;
        horizon = new Horizon(acknowledged, options.history());
        fleet = new WatcherFleet(options, acknowledged, horizon);
        random = new SplittableRandom(options.seed());
        diary = new Diary(options.folder());
    }

    /** Runs it; what went wrong is in the report, but for a cluster that does not come up. */
    public ChaosReport run() throws Exception {
        try (diary;
                Cluster cluster = new Cluster(options.folder(), options.size(), options.history())) {
            say("processes in %s, seed %d", options.folder(), options.seed());
            cluster.startStores();
            try (EtcdClient writing = new EtcdClient(EtcdOptions.of(cluster.etcdEndpoint()));
                    EtcdClient watching = new EtcdClient(EtcdOptions.of(cluster.etcdEndpoint()));
                    TruthWatch truth = new TruthWatch(watching)) {
                Judge judge = new Judge(options.space(), acknowledged, truth.revisions());
                try (JudgeThread judging = new JudgeThread(judge);
                        Writer writer = writer(writing)) {
                    return run(cluster, judging, truth, writer);
                }
            } finally {
                if (options.keep()) {
                    cluster.leave();
                }
            }
        }
    }

    private Writer writer(EtcdClient client) {
        return new Writer(
                options.space(), client, acknowledged, random.split(), options.writeRate());
    }

    private ChaosReport run(Cluster cluster, JudgeThread judging, TruthWatch truth, Writer writer)
            throws Exception {
        writer.load();
        long first = acknowledged.newest();
        say("%d objects loaded at revision %d", options.space().objects() * 9 / 10, first);
        cluster.startRest();
        say("all processes are up");
        NodeTable nodes = table(cluster);
        try (HealthLooks _ = new HealthLooks(nodes)) {
            return run(cluster, judging, truth, writer, nodes, first);
        }
    }

    private ChaosReport run(
            Cluster cluster,
            JudgeThread judging,
            TruthWatch truth,
            Writer writer,
            NodeTable nodes,
            long first)
            throws Exception {
        fleet.begin(nodes, random.split(), first);
        ClusterProbe probe = new ClusterProbe(cluster);
        Wholeness wholeness =
                new Wholeness(cluster, probe, acknowledged, fleet.all(), fleet.broad());
        writer.start();
        awaitFirstWhole(wholeness);
        ReadLoad reads =
                new ReadLoad(
                        options.space(),
                        nodes,
                        acknowledged,
                        horizon,
                        judging.judge(),
                        random.split(),
                        options.readRate());
        FaultSchedule schedule =
                new FaultSchedule(
                        options.faults(),
                        cluster,
                        probe,
                        wholeness,
                        fleet.all(),
                        reads.availability(),
                        random.split(),
                        options.size().nodes(),
                        horizon,
                        diary::note);
        faults(schedule, cluster, judging);
        if (sinceBegin().compareTo(options.history()) > 0) {
            rebuild(schedule, cluster, judging);
        }
        reads.close();
        awaitWritesBeyond(acknowledged.newest() + 1);
        writer.close();
        say("no more writes; catching up");
        Ending ending =
                new Ending(
                        options, cluster, judging, fleet.all(), nodes, horizon, this::say);
        ending.judge(acknowledged.newest(), CATCH_UP);
        if (!truth.failure().isEmpty()) {
            failures.add(new Violation(Promise.SOUND, truth.failure()));
        }
        return report(judging, reads);
    }

    private static NodeTable table(Cluster cluster) {
        List<NodeTable.Address> addresses = new ArrayList<>();
        for (Cluster.Member node : cluster.nodes()) {
            addresses.add(new NodeTable.Address(addresses.size(), node.host(), node.port()));
        }
        return new NodeTable(addresses);
    }

    private void awaitFirstWhole(Wholeness wholeness) throws InterruptedException {
        long end = System.nanoTime() + FIRST_WHOLE.toNanos();
        long written = acknowledged.newest();
        for (Optional<String> missing = wholeness.missing(written);
                missing.isPresent();
                missing = wholeness.missing(written)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the cluster did not come up: " + missing.get());
            }
            TimeUnit.MILLISECONDS.sleep(300);
        }
    }

    private void faults(FaultSchedule schedule, Cluster cluster, JudgeThread judging)
            throws Exception {
        long end = System.nanoTime() + options.atLeast().toNanos();
        while (System.nanoTime() < end
                && (options.rounds() == 0 || schedule.rounds() < options.rounds())) {
            fleet.spread(cluster);
            Optional<FaultResult> done = schedule.runNext();
            if (done.isEmpty()) {
                failures.add(new Violation(Promise.SOUND, "none of the faults can be done"));
                return;
            }
            took(done.get(), judging);
        }
    }

    /** The cleaner has removed records: a node that knows nothing reads what is left. */
    private void rebuild(FaultSchedule schedule, Cluster cluster, JudgeThread judging)
            throws Exception {
        for (FaultKind kind : List.of(FaultKind.KILL_NODE, FaultKind.RESTART_EMPTY)) {
            fleet.spread(cluster);
            Optional<FaultResult> done = schedule.run(kind);
            if (done.isPresent()) {
                took(done.get(), judging);
            }
        }
        TopicRemains remains = cluster.topicRemains();
        say(
                "the topic has %d records left of %d offsets that it gave away",
                remains.left(), remains.written());
    }

    private void took(FaultResult result, JudgeThread judging) throws InterruptedException {
        results.add(result);
        diary.violations(judging.call(Judge::violations));
        fleet.all().stream()
                .filter(watcher -> watcher.gone() > 0)
                .forEach(watcher -> diary.note(watcher.name() + ": " + watcher.lastGone()));
        tell(result, judging);
        if (!result.missing().isEmpty()) {
            failures.add(
                    new Violation(
                            Promise.CONVERGENT,
                            "not whole again %d s after %s: %s"
                                    .formatted(
                                            result.recoveryMillis() / 1_000,
                                            result.what(),
                                            result.missing())));
        }
    }

    private Duration sinceBegin() {
        return Duration.ofNanos(System.nanoTime() - beganNanos);
    }

    private void awaitWritesBeyond(long revision) throws InterruptedException {
        long end = System.nanoTime() + CATCH_UP.toNanos();
        while (acknowledged.newest() <= revision && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private void tell(FaultResult result, JudgeThread judging) {
        say(
                "%-28s pause %5d ms, others %5d ms, whole after %5d ms, reads failed %d of %d;"
                        + " %d writes, %d events, %d reads judged, %d violations, %d gone",
                result.what(),
                result.pauseHitMillis(),
                result.pauseOthersMillis(),
                result.recoveryMillis(),
                result.reads().failed(),
                result.reads().requests(),
                acknowledged.writes(),
                fleet.events(),
                judging.judge().judged(),
                judging.judge().found(),
                fleet.gone());
    }

    private ChaosReport report(JudgeThread judging, ReadLoad reads) throws InterruptedException {
        List<Violation> violations = new ArrayList<>(failures);
        List<Violation> judged = judging.stop().violations();
        diary.violations(judged);
        violations.addAll(judged);
        return new ChaosReport(
                options.seed(),
                (System.nanoTime() - beganNanos) / 1_000_000_000,
                acknowledged.writes(),
                acknowledged.failed(),
                fleet.all().size(),
                fleet.events(),
                fleet.reconnects(),
                fleet.gone(),
                fleet.tooOld(),
                judging.judge().judged(),
                reads.availability().counts(),
                reads.availability().reasons(),
                reads.availability().slowestMillis(),
                results,
                violations);
    }

    private void say(String line, Object... arguments) {
        long seconds = (System.nanoTime() - beganNanos) / 1_000_000_000;
        String told =
                "%3d:%02d  %s".formatted(seconds / 60, seconds % 60, line.formatted(arguments));
        progress.accept(told);
        diary.note(told);
    }
}
