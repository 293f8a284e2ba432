package io.tidemark.standalone.options;

import io.tidemark.bench.http.Target;
import io.tidemark.bench.start.StartCommand;
import io.tidemark.client.UsageException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How {@code bench} starts the servers whose starts it measures. */
public final class BenchStarts {
    /** Part of the name of a file. */
    private static final Pattern NAME = Pattern.compile("\\w[\\w.-]*");

    @Option(
            names = "--start",
            paramLabel = "NAME=COMMAND",
            description = {
                "Measure starts of this --target, and no workloads of running servers: COMMAND is",
                "one program with its arguments, which sh runs in the foreground with exec."
                        + " Nothing",
                "may listen at the target's URL before. Every target needs one."
            })
    private Map<String, String> lines = new LinkedHashMap<>();

    @Option(
            names = "--start-data",
            paramLabel = "NAME=FOLDER",
            description = {
                "Folder of all that a server of --start stores; it must be missing or empty when"
                        + " the",
                "run begins. bench empties it before each first-start, and after a run without",
                "failures. Without it, first-start is left out."
            })
    private Map<String, Path> data = new LinkedHashMap<>();

    @Option(
            names = "--start-state",
            paramLabel = "NAME=FOLDER",
            description = {
                "Folder inside that of --start-data which the server builds again from the rest,"
                        + " such",
                "as state in the data folder of tidemark up. bench empties it before each rebuild.",
                "Without it, rebuild is left out."
            })
    private Map<String, Path> state = new LinkedHashMap<>();

    /**
     * One command for each target; none without {@code --start}.
     *
     * @param out where bench writes
     * @throws UsageException if the options do not fit each other
     */
    public Map<String, StartCommand> commands(List<Target> targets, Path out) {
        Set<String> names = targets.stream().map(Target::name).collect(Collectors.toSet());
        requireNames("--start", lines.keySet(), names, "--target");
        requireNames("--start-data", data.keySet(), lines.keySet(), "--start");
        requireNames("--start-state", state.keySet(), data.keySet(), "--start-data");
        Map<String, StartCommand> commands = new LinkedHashMap<>();
        if (lines.isEmpty()) {
            return commands;
        }
        for (Target target : targets) {
            commands.put(target.name(), command(target));
        }
        requireApart(commands, out.toAbsolutePath().normalize());
        return commands;
    }

    private static void requireNames(
            String option, Set<String> given, Set<String> known, String other) {
        for (String name : given) {
            if (!known.contains(name)) {
                throw new UsageException(
                        "%s %s: there is no %s of this name".formatted(option, name, other));
            }
        }
    }

    private StartCommand command(Target target) {
        String name = target.name();
        String line = lines.get(name);
        if (line == null) {
            throw new UsageException(
                    "a run measures starts or running servers: there is a --start, but none for"
                            + " --target "
                            + name);
        }
        if (!NAME.matcher(name).matches()) {
            throw new UsageException(
                    "--start %s: a log is named after it, so use letters, digits, '-', '_' and '.'"
                            .formatted(name));
        }
        if (target.process() != 0) {
            throw new UsageException(
                    "--process %s: bench measures the process that --start runs".formatted(name));
        }
        return UsageException.unlessValid(
                () -> new StartCommand(line, data.get(name), state.get(name)));
    }

    /** Emptying one folder must remove nothing else. */
    private static void requireApart(Map<String, StartCommand> commands, Path out) {
        commands.forEach((name, command) -> {
            Path folder = command.data();
            if (folder == null) {
                return;
            }
            if (out.startsWith(folder)) {
                throw new UsageException(
                        "--start-data %s: --out must not be inside the data folder %s"
                                .formatted(name, folder));
            }
            commands.forEach((other, second) -> {
                if (!other.equals(name) && isWithin(second.data(), folder)) {
                    throw new UsageException(
                            "--start-data %s and %s need folders of which none is inside the other"
                                    .formatted(name, other));
                }
            });
        });
    }

    private static boolean isWithin(@Nullable Path inner, Path folder) {
        return inner != null && inner.startsWith(folder);
    }
}
