package io.tidemark.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@link BigRevision} from the command line. */
@Command(
        name = "big-revision",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Deletes very many objects at one revision, and checks what watches get of it.",
        description = {
            "",
            "Exit code 0 when every watch got every DELETED once and in order, 1 when not.",
            ""
        })
public final class BigRevisionMain implements Callable<Integer> {
    @Option(names = "--objects", description = "Objects (default: ${DEFAULT-VALUE}).")
    private int objects = 100_000;

    @Option(names = "--size", description = "Bytes of each (default: ${DEFAULT-VALUE}).")
    private int size = 10_240;

    @Option(names = "--namespaces", description = "Namespaces (default: ${DEFAULT-VALUE}).")
    private int namespaces = 20;

    @Option(names = "--nodes", description = "Nodes (default: ${DEFAULT-VALUE}).")
    private int nodes = 3;

    @Option(names = "--partitions", description = "Partitions (default: ${DEFAULT-VALUE}).")
    private int partitions = 4;

    @Option(names = "--live", description = "Watches that keep up (default: ${DEFAULT-VALUE}).")
    private int live = 50;

    @Option(names = "--lagging", description = "Watches that lag (default: ${DEFAULT-VALUE}).")
    private int lagging = 50;

    @Option(names = "--heap", description = "Of each process (default: ${DEFAULT-VALUE}).")
    private String heap = "1g";

    private BigRevisionMain() {}

    /** The command. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new BigRevisionMain()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Path folder = Files.createTempDirectory("big-revision-");
        BigRevision.Result result =
                new BigRevision(objects, size, namespaces, nodes, partitions, live, lagging, heap)
                        .run(folder, System.out::println);
        result.wrong().forEach(wrong -> System.out.println("wrong: " + wrong));
        System.out.printf(
                "%d of %d watches got every DELETED once and in order, within %,d ms%n",
                live + lagging - result.wrong().size(), live + lagging, result.millis());
        result.peakHeap()
                .forEach((process, peak) ->
                        System.out.printf("peak heap of %s: %s%n", process, peak));
        System.out.println("logs in " + folder);
        return result.wrong().isEmpty() ? 0 : 1;
    }
}
