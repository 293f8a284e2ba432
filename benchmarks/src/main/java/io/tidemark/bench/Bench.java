package io.tidemark.bench;

import io.tidemark.bench.content.Fill;
import io.tidemark.bench.content.Pods;
import io.tidemark.bench.http.Target;
import io.tidemark.bench.load.Measurement;
import io.tidemark.bench.load.NewestRevision;
import io.tidemark.bench.load.SendReference;
import io.tidemark.bench.load.Workload;
import io.tidemark.bench.report.HtmlReport;
import io.tidemark.bench.report.MarkdownReport;
import io.tidemark.bench.report.Plot;
import io.tidemark.bench.report.ResultFile;
import io.tidemark.etcd.EtcdClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A run: every workload on every server, in rounds. Servers take turns within a workload, and their
 * order changes from round to round, so that what else happens on the machine meets all alike. Each
 * round begins with {@link SendReference}, which measures the machine.
 */
public final class Bench {
    private final List<Target> targets;
    private final List<Workload> workloads;
    private final Consumer<String> progress;

    /**
     * @param progress receives lines for a human
     */
    public Bench(List<Target> targets, List<Workload> workloads, Consumer<String> progress) {
        this.targets = List.copyOf(targets);
        this.workloads = List.copyOf(workloads);
        this.progress = progress;
    }

    /**
     * Runs all rounds; each round's measurements are complete before the next begins.
     *
     * @param settings for the report
     * @throws IOException when a server or etcd cannot be reached
     */
    public ResultFile run(int rounds, Map<String, String> settings)
            throws IOException, InterruptedException {
        Instant began = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        List<Measurement> measurements = new ArrayList<>();
        Consumer<Measurement> record =
                measured -> {
                    measurements.add(measured);
                    progress.accept(line(measured, rounds));
                };
        for (int round = 1; round <= rounds; round++) {
            record.accept(SendReference.measure(round));
            for (Workload workload : workloads) {
                turns(workload, round, record);
            }
        }
        Map<String, String> titles = new LinkedHashMap<>();
        titles.put(SendReference.WORKLOAD, SendReference.TITLE);
        workloads.stream()
                .flatMap(Bench::withNext)
                .forEach(each -> titles.put(each.name(), each.title()));
        return new ResultFile(began.toString(), settings, titles, measurements);
    }

    /** A workload, and those that follow it in its turn. */
    private static Stream<Workload> withNext(Workload first) {
        return Stream.iterate(Optional.of(first), Optional::isPresent, each -> each.get().next())
                .map(Optional::get);
    }

    private void turns(Workload workload, int round, Consumer<Measurement> record)
            throws IOException, InterruptedException {
        for (int turn = 0; turn < targets.size(); turn++) {
            Target target = targets.get((turn + round) % targets.size());
            if (workload.runsOn(target)) {
                turn(workload, target, round, record);
            }
        }
    }

    private static void turn(Workload first, Target target, int round, Consumer<Measurement> record)
            throws IOException, InterruptedException {
        Optional<Workload> next = Optional.of(first);
        while (next.isPresent()) {
            Workload workload = next.get();
            Measurement measured = workload.run(target).of(workload, target, round);
            record.accept(measured);
            next = measured.failures() == 0 ? workload.next() : Optional.empty();
        }
    }

    private static String line(Measurement measured, int rounds) {
        String failures =
                measured.failures() == 0
                        ? ""
                        : ", %,d failed: %s"
                                .formatted(measured.failures(), measured.firstFailure());
        return "round %d/%d %-12s %-10s %,10d x %-8s %10.1f µs CPU each, p50 %.2f ms, p99 %.2f ms%s"
                .formatted(
                        measured.round(),
                        rounds,
                        measured.workload(),
                        measured.target(),
                        measured.units(),
                        measured.unit(),
                        measured.serverCpuMicrosPerUnit(),
                        measured.latency().p50() / 1e3,
                        measured.latency().p99() / 1e3,
                        failures);
    }

    /**
     * Writes {@code results.json}, {@code results.md}, {@code results.html}, and the plots {@code
     * cpu.svg} and {@code p99.svg} into a folder.
     */
    public static void write(ResultFile result, Path folder) throws IOException {
        Files.createDirectories(folder);
        result.write(folder.resolve("results.json"));
        Files.writeString(folder.resolve("results.md"), MarkdownReport.of(result));
        Files.writeString(folder.resolve("results.html"), HtmlReport.of(result));
        Files.writeString(folder.resolve("cpu.svg"), Plot.cpu(result));
        Files.writeString(folder.resolve("p99.svg"), Plot.p99(result));
    }

    /** Writes all pods to etcd; those that are there are replaced. */
    public static void fill(Pods pods, EtcdClient etcd, Consumer<String> progress)
            throws IOException, InterruptedException {
        new Fill(pods, etcd).run(progress);
    }

    /**
     * Waits until each server lists pods as of now: one that mirrors etcd is behind after {@link
     * #fill}.
     *
     * @throws IOException when one cannot be reached, or is still behind after half a minute
     */
    public static void awaitNewest(List<Target> targets) throws IOException {
        for (Target each : targets) {
            long _ = NewestRevision.of(each);
        }
    }

    /** How many of the pods that {@link #fill} writes are not in etcd. */
    public static long missing(Pods pods, EtcdClient etcd) throws IOException {
        return new Fill(pods, etcd).missing();
    }
}
