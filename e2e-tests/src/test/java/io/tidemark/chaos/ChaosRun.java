package io.tidemark.chaos;

import io.tidemark.chaos.client.NodeTable;
import io.tidemark.chaos.client.ReadLoad;
import io.tidemark.chaos.client.ReadinessPoller;
import io.tidemark.chaos.fault.ClusterHealth;
import io.tidemark.chaos.fault.ClusterProbe;
import io.tidemark.chaos.fault.FaultKind;
import io.tidemark.chaos.fault.FaultResult;
import io.tidemark.chaos.fault.FaultSchedule;
import io.tidemark.chaos.load.AcknowledgedWrites;
import io.tidemark.chaos.load.EtcdOracle;
import io.tidemark.chaos.process.CleanerStats;
import io.tidemark.chaos.process.Cluster;
import io.tidemark.chaos.report.ChaosReport;
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
 * One run: starts the cluster and the recording clients, runs faults one after the other, and at
 * the end checks everything that was recorded.
 */
public final class ChaosRun {
    private static final Duration FIRST_HEALTHY = Duration.ofMinutes(5);

    /** After etcd was restored, no other fault verifies the result. */
    private static final Duration CALM = Duration.ofSeconds(10);

    private static final Duration CATCH_UP = Duration.ofMinutes(3);

    private final ChaosOptions options;
    private final Consumer<String> progress;
    private final SplittableRandom random;
    private final List<EpochRun> epochRuns = new ArrayList<>();
    private final List<FaultResult> results = new ArrayList<>();
    private final RunLog diary;
    private final List<Violation> failures = new ArrayList<>();
    private final long beganNanos = System.nanoTime();

    /**
     * @param progress gets a line now and then
     */
    public ChaosRun(ChaosOptions options, Consumer<String> progress) {
        this.options = options;
        this.progress = progress;
        random = new SplittableRandom(options.seed());
        diary = new RunLog(options.folder());
    }

    /** Runs it; failures are in the report, except for a cluster that does not start. */
    public ChaosReport run() throws Exception {
        try (diary;
                Cluster cluster =
                        new Cluster(
                                options.folder(),
                                options.size(),
                                options.history(),
                                options.other())) {
            print("processes in %s, seed %d", options.folder(), options.seed());
            if (options.size().clocks() && !cluster.clocks().canJump()) {
                print("clock faults skipped: libfaketime is not installed");
            }
            if (options.size().slowDisks() && !cluster.canSlowDisks()) {
                print("slow-disk fault skipped: gcc is not installed");
            }
            cluster.startStores();
            try (EtcdOracle truth = new EtcdOracle(cluster.etcdEndpoint());
                    EpochRun first = new EpochRun(options, cluster.etcdEndpoint(), truth, random)) {
                return run(cluster, first);
            } finally {
                if (options.keep()) {
                    cluster.leaveRunning();
                }
            }
        }
    }

    private ChaosReport run(Cluster cluster, EpochRun first) throws Exception {
        first.writer().load();
        long loaded = first.acknowledged().newest();
        print("%d objects loaded at revision %d", options.space().objects() * 9 / 10, loaded);
        boolean restored = options.faults().contains(FaultKind.RESTORE_ETCD);
        if (restored) {
            cluster.backUpEtcd();
        }
        cluster.startRest();
        print("all processes are up");
        NodeTable nodes = table(cluster);
        try (ReadinessPoller _ = new ReadinessPoller(nodes)) {
            run(cluster, first, nodes, loaded);
            NewEpochFault begun = new NewEpochFault(options, cluster, nodes);
            long last = first.acknowledged().newest();
            if (options.faults().contains(FaultKind.FLIP_TOPIC)) {
                CorruptTopicFault damaged =
                        new CorruptTopicFault(cluster, options.history(), random.split());
                recordResult(
                        begun.by(damaged, random.split(), last, sinceBegin().toSeconds()), first);
                last = runNextEpoch(cluster, nodes, first.truth(), Math.max(last, begun.floor()));
            }
            if (restored) {
                EtcdRestoreFault restoration = new EtcdRestoreFault(cluster);
                recordResult(
                        begun.by(restoration, random.split(), last, sinceBegin().toSeconds()),
                        epochRuns.getLast());
                try (EtcdOracle restoredTruth = new EtcdOracle(cluster.etcdEndpoint())) {
                    runNextEpoch(cluster, nodes, restoredTruth, begun.floor());
                }
            }
        }
        return report();
    }

    /**
     * The result of a new epoch is checked separately.
     *
     * @return the newest revision of etcd then
     */
    private long runNextEpoch(Cluster cluster, NodeTable nodes, EtcdOracle truth, long from)
            throws Exception {
        diary.nextEpoch();
        try (EpochRun next = new EpochRun(options, cluster.etcdEndpoint(), truth, random)) {
            run(cluster, next, nodes, from);
            return next.acknowledged().newest();
        }
    }

    /**
     * @param from revision at which all watches begin
     */
    private void run(Cluster cluster, EpochRun epochRun, NodeTable nodes, long from)
            throws Exception {
        epochRuns.add(epochRun);
        epochRun.fleet().begin(nodes, random.split(), from);
        ClusterProbe probe = new ClusterProbe(cluster);
        ClusterHealth health =
                new ClusterHealth(
                        cluster,
                        probe,
                        epochRun.acknowledged(),
                        epochRun.fleet().all(),
                        epochRun.fleet().broad());
        epochRun.writer().start();
        awaitFirstHealthy(health, epochRun.acknowledged().newest());
        epochRun.horizon().endGap(from);
        ReadLoad reads = epochRun.read(nodes, options, random.split());
        FaultSchedule schedule =
                new FaultSchedule(
                        options.faults().stream().filter(kind -> !kind.startsNewEpoch()).toList(),
                        cluster,
                        probe,
                        health,
                        epochRun.fleet().all(),
                        reads.availability(),
                        random.split(),
                        options.size().nodes(),
                        options.keptRevisions(),
                        epochRun.horizon(),
                        diary::note);
        if (epochRuns.size() == 1) {
            faults(schedule, cluster, epochRun);
        } else {
            TimeUnit.MILLISECONDS.sleep(CALM.toMillis());
        }
        if (sinceBegin().compareTo(options.history()) > 0) {
            rebuild(schedule, cluster, epochRun);
        }
        end(cluster, epochRun, nodes, reads);
    }

    private void end(Cluster cluster, EpochRun epochRun, NodeTable nodes, ReadLoad reads)
            throws Exception {
        reads.close();
        awaitWritesBeyond(epochRun.acknowledged(), epochRun.acknowledged().newest() + 1);
        epochRun.writer().close();
        print("no more writes; catching up");
        FinalCheck ending =
                new FinalCheck(
                        options,
                        cluster,
                        epochRun.judging(),
                        epochRun.fleet().all(),
                        nodes,
                        epochRun.horizon(),
                        this::print);
        ending.judge(epochRun.acknowledged().newest(), CATCH_UP);
        String untrue = epochRun.truth().watch().failure();
        if (!untrue.isEmpty()) {
            failures.add(new Violation(Promise.SOUND, untrue));
        }
        List<Violation> judged = epochRun.judging().stop().violations();
        diary.violations(judged);
        failures.addAll(judged);
    }

    private static NodeTable table(Cluster cluster) {
        List<NodeTable.Address> addresses = new ArrayList<>();
        for (Cluster.Member node : cluster.servers()) {
            addresses.add(new NodeTable.Address(addresses.size(), node.host(), node.port()));
        }
        return new NodeTable(addresses);
    }

    private static void awaitFirstHealthy(ClusterHealth health, long written)
            throws InterruptedException {
        long end = System.nanoTime() + FIRST_HEALTHY.toNanos();
        for (Optional<String> missing = health.missing(written);
                missing.isPresent();
                missing = health.missing(written)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the cluster did not start: " + missing.get());
            }
            TimeUnit.MILLISECONDS.sleep(300);
        }
    }

    private void faults(FaultSchedule schedule, Cluster cluster, EpochRun epochRun)
            throws Exception {
        long end = System.nanoTime() + options.atLeast().toNanos();
        while (System.nanoTime() < end
                && (options.rounds() == 0 || schedule.rounds() < options.rounds())) {
            epochRun.fleet().spread(cluster);
            Optional<FaultResult> done = schedule.runNext();
            if (done.isEmpty()) {
                failures.add(new Violation(Promise.SOUND, "none of the faults is possible"));
                return;
            }
            recordResult(done.get(), epochRun);
        }
    }

    /** The cleaner has removed records: a node without data reads what is left. */
    private void rebuild(FaultSchedule schedule, Cluster cluster, EpochRun epochRun)
            throws Exception {
        for (FaultKind kind : List.of(FaultKind.KILL_NODE, FaultKind.RESTART_EMPTY)) {
            epochRun.fleet().spread(cluster);
            Optional<FaultResult> done = schedule.run(kind);
            if (done.isPresent()) {
                recordResult(done.get(), epochRun);
            }
        }
        CleanerStats remains = cluster.cleanerStats();
        print(
                "the topic has %d records left of %d assigned offsets",
                remains.left(), remains.written());
    }

    private void recordResult(FaultResult result, EpochRun epochRun) throws InterruptedException {
        results.add(result);
        diary.violations(epochRun.judging().violations());
        epochRun.fleet().all().stream()
                .filter(watcher -> watcher.unexpectedExpirations() > 0)
                .forEach(watcher -> diary.note(watcher.name() + ": " + watcher.lastExpiration()));
        printResult(result, epochRun);
        if (!result.missing().isEmpty()) {
            failures.add(
                    new Violation(
                            Promise.CONVERGENT,
                            "not healthy again %d s after %s: %s"
                                    .formatted(
                                            result.recoveryMillis() / 1_000,
                                            result.what(),
                                            result.missing())));
        }
    }

    private Duration sinceBegin() {
        return Duration.ofNanos(System.nanoTime() - beganNanos);
    }

    private static void awaitWritesBeyond(AcknowledgedWrites acknowledged, long revision)
            throws InterruptedException {
        long end = System.nanoTime() + CATCH_UP.toNanos();
        while (acknowledged.newest() <= revision && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private void printResult(FaultResult result, EpochRun epochRun) {
        print(
                "%-28s pause %5d ms, others %5d ms, healthy after %5d ms, reads failed %d of %d;"
                        + " %d writes, %d events, %d reads judged, %d violations, %d bad 410s",
                result.what(),
                result.pauseHitMillis(),
                result.pauseOthersMillis(),
                result.recoveryMillis(),
                result.reads().failed(),
                result.reads().requests(),
                epochRun.acknowledged().writes(),
                epochRun.fleet().events(),
                epochRun.judging().judge().judged(),
                epochRun.judging().judge().found(),
                epochRun.fleet().unexpectedExpirations());
    }

    private ChaosReport report() {
        return new ChaosReport(
                options.seed(),
                sinceBegin().toSeconds(),
                epochRuns.stream().mapToLong(epochRun -> epochRun.acknowledged().writes()).sum(),
                epochRuns.stream().mapToLong(epochRun -> epochRun.acknowledged().failed()).sum(),
                options.watchers(),
                epochRuns.stream().mapToLong(epochRun -> epochRun.fleet().events()).sum(),
                epochRuns.stream().mapToInt(epochRun -> epochRun.fleet().reconnects()).sum(),
                epochRuns.stream()
                        .mapToInt(epochRun -> epochRun.fleet().unexpectedExpirations())
                        .sum(),
                epochRuns.stream()
                        .mapToInt(epochRun -> epochRun.fleet().expectedExpirations())
                        .sum(),
                epochRuns.stream().mapToLong(epochRun -> epochRun.judging().judge().judged()).sum(),
                epochRuns.getFirst().availability().counts(),
                epochRuns.getFirst().availability().reasons(),
                epochRuns.getFirst().availability().slowestMillis(),
                results,
                failures);
    }

    private void print(String line, Object... arguments) {
        long seconds = (System.nanoTime() - beganNanos) / 1_000_000_000;
        String summary =
                "%3d:%02d  %s".formatted(seconds / 60, seconds % 60, line.formatted(arguments));
        progress.accept(summary);
        diary.note(summary);
    }
}
