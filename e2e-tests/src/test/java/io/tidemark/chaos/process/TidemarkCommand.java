package io.tidemark.chaos.process;

import io.tidemark.harness.TidemarkJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The command line of one process of the cluster but etcd, in a separate JVM. */
final class TidemarkCommand {
    private static final String READY = "\nready ";

    private final String name;
    private final Path data;
    private final Map<String, String> environment = new HashMap<>();
    private final List<String> jvmOptions;
    private final List<String> arguments = new ArrayList<>();
    private final List<String> otherArguments = new ArrayList<>();
    private @Nullable OtherRelease other;

    TidemarkCommand(Path folder, String name, String heap, Links links, Clocks clocks)
            throws IOException {
        this.name = name;
        environment.putAll(clocks.environment(name));
        data = folder.toAbsolutePath().resolve(name);
        jvmOptions =
                List.of(
                        "-Xmx" + heap,
                        // Many JVMs on few cores: the second compiler costs more than it gains.
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        // Identifies the process; the watchdog looks for the folder.
                        "-Dtidemark.chaos=" + data,
                        links.option(name));
    }

    /** Its own folder is on that disk. */
    TidemarkCommand on(SlowDisk disk) {
        // Two libraries may intercept its system calls.
        disk.environment()
                .forEach((variable, value) ->
                        environment.merge(variable, value, (one, other) -> one + ":" + other));
        return this;
    }

    /** It can also run another release. */
    TidemarkCommand orOther(OtherRelease release, List<String> furtherOptions) {
        other = release;
        otherArguments.addAll(furtherOptions);
        return this;
    }

    TidemarkCommand with(String option, String value) {
        arguments.add(option);
        arguments.add(value);
        return this;
    }

    TidemarkCommand withData() {
        return with("--data", data.toString());
    }

    ProcessSpec spec(String command) {
        arguments.addFirst(command);
        return new ProcessSpec(
                name,
                data,
                TidemarkJvm.tidemark(jvmOptions, arguments),
                otherCommand(),
                environment,
                READY);
    }

    private List<String> otherCommand() {
        OtherRelease release = other;
        if (release == null) {
            return List.of();
        }
        List<String> all = new ArrayList<>(arguments);
        all.addAll(otherArguments);
        return release.classPath()
                .map(jars -> TidemarkJvm.tidemark(jars, jvmOptions, all))
                .orElseGet(() -> TidemarkJvm.tidemark(jvmOptions, all));
    }

    /** Of a program of the harness. */
    ProcessSpec spec(Class<?> program) {
        return new ProcessSpec(
                name,
                data,
                TidemarkJvm.program(program, jvmOptions, arguments),
                environment,
                READY);
    }
}
