package io.tidemark.harness;

import io.tidemark.standalone.TidemarkCli;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Command lines of JVMs that tests start. */
public final class TidemarkJvm {
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    private TidemarkJvm() {}

    /**
     * The command line of {@code tidemark} with {@code arguments}, in a JVM that starts with a
     * third of the CPU of others if its classes come from jars: see {@link AotCache}.
     */
    public static List<String> tidemark(List<String> jvmOptions, List<String> arguments) {
        List<String> options = new ArrayList<>(jvmOptions);
        // It logs as it does for its users, not as tests do.
        options.add("-Dlogback.configurationFile=logback.xml");
        Optional<String> jars = jars();
        jars.flatMap(each -> AotCache.of(each, List.of()))
                .ifPresent(cache -> options.add("-XX:AOTCache=" + cache));
        return command(options, jars.orElse(CLASS_PATH), TidemarkCli.class, arguments);
    }

    /** The same of another release's jars, without a cache. */
    public static List<String> tidemark(
            String classPath, List<String> jvmOptions, List<String> arguments) {
        return command(jvmOptions, classPath, TidemarkCli.class, arguments);
    }

    /** The command line of any program of the tests. */
    public static List<String> program(
            Class<?> program, List<String> jvmOptions, List<String> arguments) {
        return command(jvmOptions, CLASS_PATH, program, arguments);
    }

    static List<String> command(
            List<String> jvmOptions, String classPath, Class<?> program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.addAll(jvmOptions);
        command.add("-cp");
        command.add(classPath);
        command.add(program.getName());
        command.addAll(arguments);
        return command;
    }

    /** The class path without the tests' folders; empty if the program's classes are in folders. */
    private static Optional<String> jars() {
        URI program =
                URI.create(
                        TidemarkCli.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toString());
        if (Files.isDirectory(Path.of(program))) {
            return Optional.empty();
        }
        List<String> jars =
                Pattern.compile(Pattern.quote(File.pathSeparator))
                        .splitAsStream(CLASS_PATH)
                        .filter(entry -> Files.isRegularFile(Path.of(entry)))
                        .toList();
        return Optional.of(String.join(File.pathSeparator, jars));
    }
}
