package io.tidemark.chaos;

import io.tidemark.chaos.fault.FaultKind;
import io.tidemark.chaos.load.ObjectSpace;
import io.tidemark.chaos.process.ClusterSize;
import io.tidemark.chaos.process.OtherRelease;
import io.tidemark.chaos.report.ChaosReport;
import io.tidemark.chaos.report.ReportText;
import io.tidemark.client.Durations;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A run from the command line; see docs/chaos.md. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Runs a cluster of real processes under faults, and checks every promise.",
        description = {
            "",
            "Starts etcd, brokers, connectors and nodes, writes to etcd at a steady rate, has"
                    + " hundreds of",
            "watchers and readers record what they get, and runs one fault after the other: the"
                    + " next when",
            "the cluster is healthy again. At the end everything recorded is checked against what"
                    + " etcd did.",
            "",
            "Exit code 0 when every promise was kept, 1 when not. The report is printed, and is"
                    + " in the",
            "folder as report.md and report.json beside the processes' logs.",
            "",
            "Examples:",
            "  dev/chaos.sh --minutes 15 --faults scale",
            "  dev/chaos.sh --minutes 2 --objects 2000 --faults kill-node,restart-empty",
            "  dev/chaos.sh --rounds 20 --faults kill-broker,kill-etcd",
            "  dev/chaos.sh --tree --minutes 15 --faults scale,tree,pause,stores",
            ""
        })
public final class ChaosMain implements Callable<Integer> {
    /** Every reader is far beyond that. */
    private static final long KEPT_REVISIONS = 1_000;

    private static final Duration NO_END = Duration.ofDays(1);

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "How long faults go on (default: ${DEFAULT-VALUE}).")
    private double minutes = 15;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description =
                    "Each kind of fault so many times, however long that takes; 0 for as often as"
                            + " the minutes allow (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--history",
            paramLabel = "DURATION",
            converter = Durations.class,
            description =
                    "How long nodes keep history, and after how long the topic's cleaner may remove"
                            + " records (default: 90s).")
    private Duration history = Duration.ofSeconds(90);

    @Option(
            names = "--faults",
            split = ",",
            paramLabel = "KIND",
            description =
                    "Kinds or groups of faults, with commas between; 'all' for all (default:"
                            + " ${DEFAULT-VALUE}). --list prints them.")
    private List<String> faults = List.of("scale");

    @Option(names = "--list", description = "Lists the kinds of faults and exits.")
    private boolean list;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "Repeats the choices of a run: which faults, which victims, which writes. The"
                            + " processes' timing is their own.")
    private long seed = System.nanoTime();

    @Option(
            names = "--objects",
            paramLabel = "N",
            description = "Object numbers; nine of ten exist (default: ${DEFAULT-VALUE}).")
    private int objects = 50_000;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Writes a second (default: ${DEFAULT-VALUE}).")
    private int rate = 200;

    @Option(
            names = "--reads",
            paramLabel = "N",
            description = "LISTs and GETs a second (default: ${DEFAULT-VALUE}).")
    private int reads = 20;

    @Option(
            names = "--watchers",
            paramLabel = "N",
            description = "Open watches (default: ${DEFAULT-VALUE}).")
    private int watchers = 300;

    @Option(
            names = "--brokers",
            paramLabel = "N",
            description = "1, or 3 that replicate (default: ${DEFAULT-VALUE}).")
    private int brokers = 1;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "Nodes in the beginning (default: ${DEFAULT-VALUE}).")
    private int nodes = 3;

    @Option(
            names = "--connectors",
            paramLabel = "N",
            description = "Connectors (default: ${DEFAULT-VALUE}).")
    private int connectors = 2;

    @Option(
            names = "--tree",
            description =
                    "Connectors follow another Tidemark, of one connector and two nodes, and so"
                            + " does a second Tidemark; its faults are the group 'tree'.")
    private boolean tree;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            description = "Largest heap of each JVM (default: ${DEFAULT-VALUE}).")
    private String heap = "384m";

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description =
                    "A folder that does not exist yet (default: a new one for temporary files).")
    private @Nullable Path folder;

    @Option(
            names = "--other-release",
            arity = "2",
            hidden = true,
            description = "Name of another release, and the class path of its jars.")
    private @Nullable List<String> other;

    @Option(
            names = "--keep",
            description = "Leaves the processes running at the end; kill them by hand.")
    private boolean keep;

    private ChaosMain() {}

    /** The command, without ending the JVM. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ChaosMain()).execute(arguments));
    }

    private Optional<OtherRelease> otherRelease() {
        return other == null
                ? Optional.empty()
                : Optional.of(OtherRelease.ofJars(other.get(0), other.get(1)));
    }

    @Override
    public Integer call() throws Exception {
        if (list) {
            for (FaultKind kind : FaultKind.values()) {
                System.out.printf("%-20s %-10s %s%n", kind.word(), kind.group(), kind.title());
            }
            return 0;
        }
        Path at = folder == null ? Files.createTempDirectory("chaos-").resolve("run") : folder;
        if (Files.exists(at)) {
            throw new IllegalArgumentException(at + " already exists");
        }
        List<FaultKind> kinds = FaultKind.parse(faults);
        boolean proxied = kinds.stream().anyMatch(kind -> kind.group().equals("cut"));
        boolean clocks = kinds.stream().anyMatch(kind -> kind.group().equals("clock"));
        boolean slowDisks = kinds.contains(FaultKind.SLOW_DISK);
        ChaosOptions options =
                new ChaosOptions(
                        at,
                        rounds > 0 ? NO_END : Duration.ofMillis((long) (minutes * 60_000)),
                        rounds,
                        seed,
                        new ObjectSpace(objects, Math.clamp(objects / 20, 1, 100), 500),
                        KEPT_REVISIONS,
                        history,
                        rate,
                        reads,
                        watchers,
                        new ClusterSize(
                                brokers, connectors, nodes, heap, proxied, clocks, slowDisks, tree),
                        kinds,
                        otherRelease(),
                        keep);
        ChaosReport report = new ChaosRun(options, System.out::println).run();
        ReportText.write(report, at);
        System.out.println();
        System.out.println(ReportText.markdown(report));
        System.out.println("report in " + at);
        return report.passed() ? 0 : 1;
    }
}
