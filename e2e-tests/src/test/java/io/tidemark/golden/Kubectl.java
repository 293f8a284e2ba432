package io.tidemark.golden;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The machine's kubectl, configured only with the server's address. */
final class Kubectl {
    private static final Pattern MINOR = Pattern.compile("v\\d+\\.\\d+");
    private static final int TIMEOUT_MINUTES = 3;

    private final Path home;
    private final String server;

    private Kubectl(Path home, InetSocketAddress server) {
        this.home = home;
        this.server = "http://" + server.getHostString() + ":" + server.getPort();
    }

    /** The result of a command. */
    record Output(int exit, String stdout, String stderr) {}

    /**
     * Skips the test, by name and with a reason, where there is none of the recorded minor version:
     * others print some things differently.
     *
     * @param recorded its version among other words, such as {@code v1.32.4 (Debian)}
     * @param home for its caches and its output
     */
    static Kubectl orSkip(String recorded, Path home, GoldenServer server) throws Exception {
        Kubectl kubectl = new Kubectl(home, server.address());
        String found;
        try {
            found = minor(kubectl.run("version", List.of("version", "--client")).stdout());
        } catch (IOException _) {
            found = "none";
        }
        String reason =
                "needs kubectl %s on the PATH, there is %s".formatted(minor(recorded), found);
        assumeTrue(found.equals(minor(recorded)), reason);
        return kubectl;
    }

    private static String minor(String version) {
        Matcher minor = MINOR.matcher(version);
        return minor.find() ? minor.group() : "none";
    }

    /**
     * Runs one command to its end.
     *
     * @param id for the files with its output; unique per command
     * @throws IOException if there is no kubectl, or it takes longer than three minutes
     */
    Output run(String id, List<String> arguments) throws IOException, InterruptedException {
        Path stdout = home.resolve(id + ".out");
        Path stderr = home.resolve(id + ".err");
        List<String> command = new ArrayList<>(List.of("kubectl"));
        command.addAll(arguments);
        command.addAll(List.of("--server", server, "--cache-dir", home + "/cache"));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("KUBECONFIG", "/dev/null");
        builder.environment().put("HOME", home.toString());
        Process process =
                builder.redirectInput(Path.of("/dev/null").toFile())
                        .redirectOutput(stdout.toFile())
                        .redirectError(stderr.toFile())
                        .start();
        if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IOException("kubectl did not end: " + arguments);
        }
        return new Output(
                process.exitValue(),
                Files.readString(stdout, StandardCharsets.UTF_8),
                Files.readString(stderr, StandardCharsets.UTF_8));
    }
}
