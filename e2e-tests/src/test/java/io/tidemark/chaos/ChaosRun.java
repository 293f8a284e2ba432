package io.tidemark.chaos;

import io.tidemark.chaos.check.Judge;
import io.tidemark.chaos.client.HealthLooks;
import io.tidemark.chaos.client.NodeTable;
import io.tidemark.chaos.client.ReadLoad;
import io.tidemark.chaos.client.WatchClient;
import io.tidemark.chaos.client.WatchTarget;
import io.tidemark.chaos.fault.ClusterProbe;
import io.tidemark.chaos.fault.FaultResult;
import io.tidemark.chaos.fault.FaultSchedule;
import io.tidemark.chaos.fault.Wholeness;
import io.tidemark.chaos.load.Acknowledged;
import io.tidemark.chaos.load.TruthWatch;
import io.tidemark.chaos.load.Writer;
import io.tidemark.chaos.process.Cluster;
import io.tidemark.chaos.process.ManagedProcess;
import io.tidemark.chaos.report.ChaosReport;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.EtcdOptions;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    private static final Duration SPREAD = Duration.ofSeconds(15);
    private static final Duration CATCH_UP = Duration.ofMinutes(3);

    private final ChaosOptions options;
    private final Consumer<String> progress;
    private final SplittableRandom random;
    private final Acknowledged acknowledged = new Acknowledged();
    private final List<WatchClient> watchers = new ArrayList<>();
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
                Cluster cluster = new Cluster(options.folder(), options.size())) {
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
        watch(nodes, first);
        ClusterProbe probe = new ClusterProbe(cluster);
        Wholeness wholeness = new Wholeness(cluster, probe, acknowledged, watchers, broad());
        writer.start();
        awaitFirstWhole(wholeness);
        ReadLoad reads =
                new ReadLoad(
                        options.space(),
                        nodes,
                        acknowledged,
                        judging.judge(),
                        first,
                        random.split(),
                        options.readRate());
        FaultSchedule schedule =
                new FaultSchedule(
                        options.faults(),
                        cluster,
                        probe,
                        wholeness,
                        watchers,
                        reads.availability(),
                        random.split(),
                        options.size().nodes(),
                        diary::note);
        faults(schedule, cluster, judging);
        reads.close();
        awaitWritesBeyond(acknowledged.newest() + 1);
        writer.close();
        say("no more writes; catching up");
        Ending ending = new Ending(options, cluster, judging, watchers, nodes, this::say);
        ending.judge(first, acknowledged.newest(), CATCH_UP);
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

    private void watch(NodeTable nodes, long first) {
        List<WatchTarget> targets =
                WatchTarget.mix(options.space(), options.watchers(), random.split());
        for (WatchTarget target : targets) {
            watchers.add(
                    new WatchClient(
                            target,
                            options.space(),
                            nodes,
                            acknowledged,
                            random.split(),
                            watchers.size() % options.size().nodes(),
                            first));
        }
    }

    private List<WatchClient> broad() {
        List<WatchClient> broad = new ArrayList<>();
        for (int i = 0; i < watchers.size(); i += 50) {
            broad.add(watchers.get(i));
        }
        return broad;
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
            spread(cluster);
            Optional<FaultResult> done = schedule.runNext();
            if (done.isEmpty()) {
                failures.add(new Violation(Promise.SOUND, "none of the faults can be done"));
                return;
            }
            FaultResult result = done.get();
            results.add(result);
            diary.violations(judging.call(Judge::violations));
            watchers.stream()
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
    }

    /**
     * Some watchers go from nodes that have more than their share to others, as they would over
     * time; waits until they are there.
     */
    private void spread(Cluster cluster) throws InterruptedException {
        List<Integer> slots =
                cluster.nodes(ManagedProcess::isRunning).stream()
                        .map(cluster.nodes()::indexOf)
                        .toList();
        int share = (watchers.size() + slots.size() - 1) / slots.size();
        Map<Integer, Integer> counts = new HashMap<>();
        slots.forEach(slot -> counts.put(slot, 0));
        for (WatchClient watcher : watchers) {
            int at = watcher.at();
            if (counts.getOrDefault(at, share) >= share) {
                at = Collections.min(slots, Comparator.comparing(counts::get));
                watcher.moveTo(at);
            }
            counts.merge(at, 1, Integer::sum);
        }
        long end = System.nanoTime() + SPREAD.toNanos();
        while (!watchers.stream().allMatch(WatchClient::isAtHome) && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        TimeUnit.MILLISECONDS.sleep(1_000);
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
                watchers.stream().mapToLong(WatchClient::events).sum(),
                judging.judge().judged(),
                judging.judge().found(),
                watchers.stream().mapToInt(WatchClient::gone).sum());
    }

    private ChaosReport report(JudgeThread judging, ReadLoad reads) throws InterruptedException {
        List<Violation> violations = new ArrayList<>(failures);
        List<Violation> judged = judging.stop().violations();
        diary.violations(judged);
        violations.addAll(judged);
        int gone = watchers.stream().mapToInt(WatchClient::gone).sum();
        return new ChaosReport(
                options.seed(),
                (System.nanoTime() - beganNanos) / 1_000_000_000,
                acknowledged.writes(),
                acknowledged.failed(),
                watchers.size(),
                watchers.stream().mapToLong(WatchClient::events).sum(),
                watchers.stream().mapToInt(WatchClient::reconnects).sum(),
                gone,
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
