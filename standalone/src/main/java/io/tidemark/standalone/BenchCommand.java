package io.tidemark.standalone;

import io.tidemark.bench.Bench;
import io.tidemark.bench.content.Pods;
import io.tidemark.bench.http.Target;
import io.tidemark.bench.load.SendReference;
import io.tidemark.bench.load.Workload;
import io.tidemark.bench.load.Workloads;
import io.tidemark.bench.report.Comparison;
import io.tidemark.bench.report.MarkdownReport;
import io.tidemark.bench.report.ResultFile;
import io.tidemark.bench.start.StartCommand;
import io.tidemark.bench.start.StartedServers;
import io.tidemark.client.UsageException;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.standalone.options.BenchStarts;
import io.tidemark.standalone.options.BenchTargets;
import io.tidemark.standalone.options.EtcdTarget;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark bench}: measures servers of the Kubernetes protocol under the same load. */
@Command(
        name = "bench",
        header = "Measures Tidemark, an API server, or both in turns, under the same load.",
        description = {
            "",
            "Runs each workload on each server, in several rounds, and reports wall time, latency,"
                    + " bytes, and",
            "the CPU time and memory of the servers' processes. Workloads with writes need --etcd;"
                    + " they update",
            "the pods that --fill has made there. Answers are counted and not kept.",
            "",
            "Workloads: list, list-8, protobuf, gzip, gzip-protobuf, namespace, page, metadata,"
                    + " table, label, shard, node,",
            "get, get-cached-1, get-cached, rest, idle; with --etcd also watch, fan-out,"
                    + " fan-out-protobuf, stalled,",
            "filtered, ingest, replay, replay-50.",
            "",
            "With --start, bench starts and ends the servers, and runs only these: first-start"
                    + " (without data),",
            "restart (on all data), rebuild (without the folder of --start-state). Each measures"
                    + " the time until",
            "GET /readyz answers 200, five minutes at most, then one LIST of all pods"
                    + " (first-start-list,",
            "restart-list, rebuild-list), and ends the server with SIGTERM, after a minute with"
                    + " SIGKILL. The",
            "output of a server is in NAME.log in the folder of --out.",
            "",
            "Each round begins with send: the CPU time in which this machine sends 100 MB to"
                    + " itself. --compare",
            "divides ratios of CPU times by that of the machines.",
            "",
            "Examples:",
            "  tidemark bench --etcd http://127.0.0.1:2379 --fill \\",
            "      --target tidemark=http://127.0.0.1:8080 --process tidemark=4711",
            "  tidemark bench --target tidemark=http://127.0.0.1:8080 \\",
            "      --target apiserver=https://127.0.0.1:6443 --target-ca ca.crt \\",
            "      --target-token-file apiserver=token --workloads list,get",
            "  tidemark bench --rounds 3 --target tidemark=http://127.0.0.1:8080 \\",
            "      --start 'tidemark=tidemark up --etcd http://127.0.0.1:2379 --data /tmp/mirror'"
                    + " \\",
            "      --start-data tidemark=/tmp/mirror --start-state tidemark=/tmp/mirror/state",
            "  tidemark bench --compare before/results.json --with after/results.json",
            ""
        })
final class BenchCommand implements Callable<Integer> {
    private static final int FAILED = 1;

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private BenchTargets targets = new BenchTargets();
    @Mixin private BenchStarts starts = new BenchStarts();
    @Mixin private EtcdTarget etcd = new EtcdTarget();

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            description = "Prefix of the cluster's keys in etcd (default: ${DEFAULT-VALUE}).")
    private String prefix = "/registry/";

    @Option(
            names = "--fill",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "First write all pods to etcd, as an API server stores them.")
    private boolean fill;

    @Option(
            names = "--pods",
            paramLabel = "COUNT",
            description = "Pods of about 10.8 KB each as JSON (default: ${DEFAULT-VALUE}).")
    private int pods = 10_000;

    @Option(
            names = "--namespaces",
            paramLabel = "COUNT",
            description = "Namespaces of the pods (default: ${DEFAULT-VALUE}).")
    private int namespaces = 20;

    @Option(
            names = "--nodes",
            paramLabel = "COUNT",
            description = "Node names of the pods (default: ${DEFAULT-VALUE}).")
    private int nodes = 500;

    @Option(
            names = "--workloads",
            split = ",",
            paramLabel = "NAME",
            description = "Which to run, separated by commas (default: all).")
    private @Nullable Set<String> only;

    @Option(
            names = "--rounds",
            paramLabel = "COUNT",
            description =
                    "How often each workload runs on each server (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(
            names = "--seconds",
            paramLabel = "COUNT",
            description = "Length of one turn of most workloads (default: ${DEFAULT-VALUE}).")
    private int seconds = 10;

    @Option(
            names = "--watchers",
            paramLabel = "COUNT",
            description =
                    "Watches of the workloads fan-out, stalled and idle (default:"
                            + " ${DEFAULT-VALUE}).")
    private int watchers = 1_000;

    @Option(
            names = "--filtered-watchers",
            paramLabel = "COUNT",
            description = "Watches of the workload filtered (default: ${DEFAULT-VALUE}).")
    private int filteredWatchers = 4_000;

    @Option(
            names = "--events",
            paramLabel = "COUNT",
            description =
                    "Writes of the workloads ingest, replay, replay-50 (default:"
                            + " ${DEFAULT-VALUE}).")
    private int events = 1_000;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description =
                    "Where results.json, results.md, results.html, cpu.svg and p99.svg are written,"
                            + " and logs of --start (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("bench");

    @Option(
            names = "--compare",
            paramLabel = "FILE",
            description = "Only print the ratios of two results: the first results.json.")
    private @Nullable Path compared;

    @Option(
            names = "--with",
            paramLabel = "FILE",
            description = "The second results.json, for --compare.")
    private @Nullable Path with;

    /** Exit code 1 when a request failed or an event did not arrive. */
    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter console = spec.commandLine().getOut();
        List<Path> files = compared();
        if (files.isEmpty()) {
            return run(plan(), console);
        }
        if (files.size() == 1) {
            throw new UsageException("give both --compare FILE and --with FILE");
        }
        console.print(
                Comparison.of(ResultFile.read(files.getFirst()), ResultFile.read(files.getLast())));
        console.flush();
        return 0;
    }

    /**
     * What a run measures, and how much of it.
     *
     * @param starts one for each target, or none: then the servers run already
     */
    record Plan(
            List<Target> targets,
            Map<String, StartCommand> starts,
            Pods pods,
            Workloads.Amounts amounts,
            Set<String> workloads,
            int rounds,
            boolean fill,
            @Nullable EtcdOptions etcd) {}

    /**
     * @throws UsageException when options are missing, contradict each other or are out of range
     */
    Plan plan() {
        requirePositive();
        etcd.requireNoneWithoutEtcd();
        if (fill && !etcd.isGiven()) {
            throw new UsageException("--fill needs --etcd URL");
        }
        List<Target> measured = targets.targets();
        return new Plan(
                measured,
                starts.commands(measured, out),
                new Pods(prefix, pods, namespaces, nodes),
                new Workloads.Amounts(
                        Duration.ofSeconds(seconds), watchers, filteredWatchers, events),
                only == null ? Set.of() : Set.copyOf(only),
                rounds,
                fill,
                etcd.isGiven() ? etcd.options() : null);
    }

    /** The two files to compare; those that are not given are missing. */
    List<Path> compared() {
        return Stream.of(compared, with).filter(Objects::nonNull).toList();
    }

    /** Where the results go. */
    Path out() {
        return out;
    }

    private int run(Plan plan, PrintWriter console) throws IOException, InterruptedException {
        try (EtcdClient client = plan.etcd() == null ? null : new EtcdClient(plan.etcd());
                StartedServers servers = plan.starts().isEmpty() ? null : begin(plan)) {
            List<Workload> workloads =
                    chosen(
                            plan.workloads(),
                            servers == null
                                    ? Workloads.of(plan.pods(), client, plan.amounts())
                                    : Workloads.ofStarts(servers));
            if (plan.fill() && client != null) {
                Bench.fill(plan.pods(), client, line -> say(console, line));
                if (servers == null) {
                    Bench.awaitNewest(plan.targets());
                }
            } else if (client != null && workloads.stream().anyMatch(Workload::writes)) {
                requireFilled(plan.pods(), client);
            }
            Bench bench = new Bench(plan.targets(), workloads, line -> say(console, line));
            ResultFile result = bench.run(plan.rounds(), settings(plan));
            Bench.write(result, out);
            console.print("\n" + MarkdownReport.of(result));
            say(console, "\nwritten to " + out.toAbsolutePath());
            if (servers != null && !result.hasFailures()) {
                servers.removeData();
            }
            return result.hasFailures() ? FAILED : 0;
        }
    }

    private StartedServers begin(Plan plan) throws IOException {
        try {
            return StartedServers.begin(plan.targets(), plan.starts(), out);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /** The etcd of a shared configuration may be that of a real cluster. */
    private static void requireFilled(Pods pods, EtcdClient client) throws IOException {
        long missing = Bench.missing(pods, client);
        if (missing > 0) {
            throw new UsageException(
                    "etcd lacks %,d of the %,d pods that workloads with writes update: --fill makes"
                                    .formatted(missing, pods.count())
                            + " them, --workloads NAME[,NAME...] leaves those workloads out");
        }
    }

    private static void say(PrintWriter console, String line) {
        console.println(line);
        console.flush();
    }

    private static List<Workload> chosen(Set<String> names, List<Workload> all) {
        Set<String> unknown = new TreeSet<>(names);
        all.forEach(each -> unknown.remove(each.name()));
        unknown.remove(SendReference.WORKLOAD); // Part of each run.
        if (!unknown.isEmpty()) {
            throw new UsageException(
                    "--workloads: there is no %s, only %s; those with writes need --etcd; with --start only starts run"
                            .formatted(
                                    String.join(", ", unknown),
                                    all.stream()
                                            .map(Workload::name)
                                            .collect(Collectors.joining(", "))));
        }
        return names.isEmpty()
                ? all
                : all.stream().filter(each -> names.contains(each.name())).toList();
    }

    private void requirePositive() {
        Map<String, Integer> counts =
                Map.of(
                        "--pods", pods,
                        "--namespaces", namespaces,
                        "--nodes", nodes,
                        "--rounds", rounds,
                        "--seconds", seconds,
                        "--watchers", watchers,
                        "--filtered-watchers", filteredWatchers,
                        "--events", events);
        counts.forEach((option, count) -> {
            if (count < 1) {
                throw new UsageException(option + " must be at least 1, not " + count);
            }
        });
    }

    private static Map<String, String> settings(Plan plan) {
        Map<String, String> settings = new LinkedHashMap<>();
        plan.targets().forEach(each -> settings.put(each.name(), each.base().toString()));
        Pods pods = plan.pods();
        settings.put(
                "pods",
                "%,d in %d namespaces, on %d nodes"
                        .formatted(pods.count(), pods.namespaces(), pods.nodes()));
        String length =
                plan.starts().isEmpty()
                        ? plan.amounts().duration().toSeconds() + " s"
                        : "one start each";
        settings.put("rounds", plan.rounds() + " of " + length);
        settings.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        return settings;
    }
}
