package io.tidemark.chaos;

import io.tidemark.chaos.client.HealthLooks;
import io.tidemark.chaos.client.NodeTable;
import io.tidemark.chaos.client.ReadLoad;
import io.tidemark.chaos.fault.ClusterProbe;
import io.tidemark.chaos.fault.FaultKind;
import io.tidemark.chaos.fault.FaultResult;
import io.tidemark.chaos.fault.FaultSchedule;
import io.tidemark.chaos.fault.Wholeness;
import io.tidemark.chaos.load.Acknowledged;
import io.tidemark.chaos.load.Truth;
import io.tidemark.chaos.process.Cluster;
import io.tidemark.chaos.process.TopicRemains;
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
 * One run: the cluster comes up, clients begin to record, faults happen one after the other, and in
 * the end everything that was recorded is judged.
 */
public final class ChaosRun {
    private static final Duration FIRST_WHOLE = Duration.ofMinutes(5);

    /** After etcd was put back, no other fault makes sure of what came of that. */
    private static final Duration CALM = Duration.ofSeconds(10);

    private static final Duration CATCH_UP = Duration.ofMinutes(3);

    private final ChaosOptions options;
    private final Consumer<String> progress;
    private final SplittableRandom random;
    private final List<Era> eras = new ArrayList<>();
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
        random = new SplittableRandom(options.seed());
        diary = new Diary(options.folder());
    }

    /** Runs it; what went wrong is in the report, but for a cluster that does not come up. */
    public ChaosReport run() throws Exception {
        try (diary;
                Cluster cluster =
                        new Cluster(options.folder(), options.size(), options.history())) {
            say("processes in %s, seed %d", options.folder(), options.seed());
            if (options.size().clocks() && !cluster.clocks().canJump()) {
                say("no clock can jump: libfaketime is not installed; its faults are left out");
            }
            if (options.size().slowDisks() && !cluster.canSlowDisks()) {
                say("no disk can be slow: there is no gcc; that fault is left out");
            }
            cluster.startStores();
            try (Truth truth = new Truth(cluster.etcdEndpoint());
                    Era first = new Era(options, cluster.etcdEndpoint(), truth, random)) {
                return run(cluster, first);
            } finally {
                if (options.keep()) {
                    cluster.leave();
                }
            }
        }
    }

    private ChaosReport run(Cluster cluster, Era first) throws Exception {
        first.writer().load();
        long loaded = first.acknowledged().newest();
        say("%d objects loaded at revision %d", options.space().objects() * 9 / 10, loaded);
        boolean restored = options.faults().contains(FaultKind.RESTORE_ETCD);
        if (restored) {
            cluster.backUpEtcd();
        }
        cluster.startRest();
        say("all processes are up");
        NodeTable nodes = table(cluster);
        try (HealthLooks _ = new HealthLooks(nodes)) {
            run(cluster, first, nodes, loaded);
            NewEpoch begun = new NewEpoch(options, cluster, nodes);
            long last = first.acknowledged().newest();
            if (options.faults().contains(FaultKind.FLIP_TOPIC)) {
                DamagedTopic damaged = new DamagedTopic(cluster, options.history(), random.split());
                took(begun.by(damaged, random.split(), last, sinceBegin().toSeconds()), first);
                last = again(cluster, nodes, first.truth(), Math.max(last, begun.floor()));
            }
            if (restored) {
                Restoration restoration = new Restoration(cluster);
                took(
                        begun.by(restoration, random.split(), last, sinceBegin().toSeconds()),
                        eras.getLast());
                try (Truth restoredTruth = new Truth(cluster.etcdEndpoint())) {
                    again(cluster, nodes, restoredTruth, begun.floor());
                }
            }
        }
        return report();
    }

    /**
     * What comes of a new epoch is judged by itself.
     *
     * @return the newest revision of etcd then
     */
    private long again(Cluster cluster, NodeTable nodes, Truth truth, long from) throws Exception {
        diary.anew();
        try (Era next = new Era(options, cluster.etcdEndpoint(), truth, random)) {
            run(cluster, next, nodes, from);
            return next.acknowledged().newest();
        }
    }

    /**
     * @param from revision at which all watches begin
     */
    private void run(Cluster cluster, Era era, NodeTable nodes, long from) throws Exception {
        eras.add(era);
        era.fleet().begin(nodes, random.split(), from);
        ClusterProbe probe = new ClusterProbe(cluster);
        Wholeness wholeness =
                new Wholeness(
                        cluster, probe, era.acknowledged(), era.fleet().all(), era.fleet().broad());
        era.writer().start();
        awaitFirstWhole(wholeness, era.acknowledged().newest());
        era.horizon().endGap(from);
        ReadLoad reads = era.read(nodes, options, random.split());
        FaultSchedule schedule =
                new FaultSchedule(
                        options.faults().stream().filter(kind -> !kind.endsEra()).toList(),
                        cluster,
                        probe,
                        wholeness,
                        era.fleet().all(),
                        reads.availability(),
                        random.split(),
                        options.size().nodes(),
                        era.horizon(),
                        diary::note);
        if (eras.size() == 1) {
            faults(schedule, cluster, era);
        } else {
            TimeUnit.MILLISECONDS.sleep(CALM.toMillis());
        }
        if (sinceBegin().compareTo(options.history()) > 0) {
            rebuild(schedule, cluster, era);
        }
        end(cluster, era, nodes, reads);
    }

    private void end(Cluster cluster, Era era, NodeTable nodes, ReadLoad reads) throws Exception {
        reads.close();
        awaitWritesBeyond(era.acknowledged(), era.acknowledged().newest() + 1);
        era.writer().close();
        say("no more writes; catching up");
        Ending ending =
                new Ending(
                        options,
                        cluster,
                        era.judging(),
                        era.fleet().all(),
                        nodes,
                        era.horizon(),
                        this::say);
        ending.judge(era.acknowledged().newest(), CATCH_UP);
        String untrue = era.truth().watch().failure();
        if (!untrue.isEmpty()) {
            failures.add(new Violation(Promise.SOUND, untrue));
        }
        List<Violation> judged = era.judging().stop().violations();
        diary.violations(judged);
        failures.addAll(judged);
    }

    private static NodeTable table(Cluster cluster) {
        List<NodeTable.Address> addresses = new ArrayList<>();
        for (Cluster.Member node : cluster.nodes()) {
            addresses.add(new NodeTable.Address(addresses.size(), node.host(), node.port()));
        }
        return new NodeTable(addresses);
    }

    private static void awaitFirstWhole(Wholeness wholeness, long written)
            throws InterruptedException {
        long end = System.nanoTime() + FIRST_WHOLE.toNanos();
        for (Optional<String> missing = wholeness.missing(written);
                missing.isPresent();
                missing = wholeness.missing(written)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the cluster did not come up: " + missing.get());
            }
            TimeUnit.MILLISECONDS.sleep(300);
        }
    }

    private void faults(FaultSchedule schedule, Cluster cluster, Era era) throws Exception {
        long end = System.nanoTime() + options.atLeast().toNanos();
        while (System.nanoTime() < end
                && (options.rounds() == 0 || schedule.rounds() < options.rounds())) {
            era.fleet().spread(cluster);
            Optional<FaultResult> done = schedule.runNext();
            if (done.isEmpty()) {
                failures.add(new Violation(Promise.SOUND, "none of the faults can be done"));
                return;
            }
            took(done.get(), era);
        }
    }

    /** The cleaner has removed records: a node that knows nothing reads what is left. */
    private void rebuild(FaultSchedule schedule, Cluster cluster, Era era) throws Exception {
        for (FaultKind kind : List.of(FaultKind.KILL_NODE, FaultKind.RESTART_EMPTY)) {
            era.fleet().spread(cluster);
            Optional<FaultResult> done = schedule.run(kind);
            if (done.isPresent()) {
                took(done.get(), era);
            }
        }
        TopicRemains remains = cluster.topicRemains();
        say(
                "the topic has %d records left of %d offsets that it gave away",
                remains.left(), remains.written());
    }

    private void took(FaultResult result, Era era) throws InterruptedException {
        results.add(result);
        diary.violations(era.judging().violations());
        era.fleet().all().stream()
                .filter(watcher -> watcher.gone() > 0)
                .forEach(watcher -> diary.note(watcher.name() + ": " + watcher.lastGone()));
        tell(result, era);
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

    private static void awaitWritesBeyond(Acknowledged acknowledged, long revision)
            throws InterruptedException {
        long end = System.nanoTime() + CATCH_UP.toNanos();
        while (acknowledged.newest() <= revision && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private void tell(FaultResult result, Era era) {
        say(
                "%-28s pause %5d ms, others %5d ms, whole after %5d ms, reads failed %d of %d;"
                        + " %d writes, %d events, %d reads judged, %d violations, %d gone",
                result.what(),
                result.pauseHitMillis(),
                result.pauseOthersMillis(),
                result.recoveryMillis(),
                result.reads().failed(),
                result.reads().requests(),
                era.acknowledged().writes(),
                era.fleet().events(),
                era.judging().judge().judged(),
                era.judging().judge().found(),
                era.fleet().gone());
    }

    private ChaosReport report() {
        return new ChaosReport(
                options.seed(),
                sinceBegin().toSeconds(),
                eras.stream().mapToLong(era -> era.acknowledged().writes()).sum(),
                eras.stream().mapToLong(era -> era.acknowledged().failed()).sum(),
                options.watchers(),
                eras.stream().mapToLong(era -> era.fleet().events()).sum(),
                eras.stream().mapToInt(era -> era.fleet().reconnects()).sum(),
                eras.stream().mapToInt(era -> era.fleet().gone()).sum(),
                eras.stream().mapToInt(era -> era.fleet().tooOld()).sum(),
                eras.stream().mapToLong(era -> era.judging().judge().judged()).sum(),
                eras.getFirst().availability().counts(),
                eras.getFirst().availability().reasons(),
                eras.getFirst().availability().slowestMillis(),
                results,
                failures);
    }

    private void say(String line, Object... arguments) {
        long seconds = (System.nanoTime() - beganNanos) / 1_000_000_000;
        String told =
                "%3d:%02d  %s".formatted(seconds / 60, seconds % 60, line.formatted(arguments));
        progress.accept(told);
        diary.note(told);
    }
}
