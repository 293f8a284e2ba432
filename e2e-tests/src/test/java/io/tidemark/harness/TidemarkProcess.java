package io.tidemark.harness;

import io.tidemark.local.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * {@code tidemark} as a child process: its output goes to a log beside its data, and {@link #kill}
 * is a kill -9.
 */
public final class TidemarkProcess implements AutoCloseable {
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(10);

    private final Process process;

    /** Many JVMs on few cores: the second compiler costs more than it gains in a short test. */
    private static final List<String> FEW_CORES =
            List.of("-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Path log;
    private final InetSocketAddress address;
    private final Api api;

    private TidemarkProcess(
            Process process, Path log, InetSocketAddress address, Security security) {
        this.process = process;
        this.log = log;
        this.address = address;
        this.api =
                new Api(
                        "%s://%s:%d"
                                .formatted(
                                        security.scheme(),
                                        address.getHostString(),
                                        address.getPort()),
                        security.client());
    }

    /** Starts it on a free port and returns when it has printed {@code ready}. */
    public static TidemarkProcess up(Path data, String etcd, String... more) throws Exception {
        return upAt(Ports.pickFree("127.0.0.1"), data, etcd, more);
    }

    /** Starts it on a given port, the same again after a restart. */
    public static TidemarkProcess upAt(int port, Path data, String etcd, String... more)
            throws Exception {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "up",
                                "--data",
                                data.toString(),
                                "--etcd",
                                etcd,
                                "--listen",
                                "127.0.0.1:" + port));
        arguments.addAll(Arrays.asList(more));
        Files.createDirectories(data);
        Path log = data.resolveSibling(data.getFileName() + ".log");
        return start(port, log, FEW_CORES, arguments);
    }

    /**
     * Starts any command that serves, and returns when it has printed {@code ready}.
     *
     * @param port where it listens, as the arguments say
     * @param log for its standard error
     */
    public static TidemarkProcess start(
            int port, Path log, List<String> jvm, List<String> arguments) throws Exception {
        return start(port, log, jvm, arguments, Security.ofRun());
    }

    /** The same, with other security than that of the run. */
    public static TidemarkProcess start(
            int port, Path log, List<String> jvm, List<String> arguments, Security security)
            throws Exception {
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", port);
        ProcessBuilder builder =
                new ProcessBuilder(TidemarkJvm.tidemark(jvm, arguments))
                        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(security.environment(arguments));
        Process process = builder.start();
        CompletableFuture<Boolean> ready = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> watchOutput(process, ready));
        try {
            if (!ready.get(READY_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException("it ended before it was ready:\n" + Files.readString(log));
            }
        } catch (Exception e) {
            process.destroyForcibly();
            throw e;
        }
        return new TidemarkProcess(process, log, address, security);
    }

    private static void watchOutput(Process process, CompletableFuture<Boolean> ready) {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith("ready")) {
                    ready.complete(true);
                }
            }
        } catch (IOException _) {
            // The process has ended: the same as the end of its output.
        }
        ready.complete(false);
    }

    public Api api() {
        return api;
    }

    /** Its address. */
    public InetSocketAddress address() {
        return address;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public String log() throws IOException {
        return Files.readString(log);
    }

    /** SIGTERM; returns the exit code. */
    public int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(3, TimeUnit.MINUTES)) {
            throw new IllegalStateException("tidemark did not end within 3 minutes of SIGTERM");
        }
        return process.exitValue();
    }

    /** SIGKILL, without a chance to write anything. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
