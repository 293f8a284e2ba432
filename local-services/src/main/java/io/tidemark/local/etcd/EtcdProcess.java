package io.tidemark.local.etcd;

import io.tidemark.local.Command;
import io.tidemark.local.PidFile;
import io.tidemark.local.PortInUseException;
import io.tidemark.local.Ports;
import io.tidemark.local.PrivateFolder;
import io.tidemark.local.SearchPath;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A single-member etcd as a child process. It listens only on loopback and logs beside its data. If
 * this JVM is killed, the child survives; the next start with the same data directory kills it.
 */
public final class EtcdProcess implements AutoCloseable {
    private static final String MEMBER = "tidemark";

    /** Never listened on: a single member has no peers, but etcd requires an address. */
    private static final String PEER_URL = "http://127.0.0.1:2380";

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(4);
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);
    private static final int PORT_ATTEMPTS = 5;
    private static final long MAX_LOG_BYTES = 16L * 1024 * 1024;

    /** Of the end of the log, in which the reason of a failure is searched. */
    private static final long MAX_QUOTED_BYTES = 64 * 1024;

    private final Process process;
    private final String endpoint;
    private final Path logFile;
    private final long logFrom;
    private final PidFile pidFile;

    /**
     * @param logFrom where this process begins in the log file
     */
    private EtcdProcess(
            Process process, String endpoint, Path logFile, long logFrom, PidFile pidFile) {
        this.process = process;
        this.endpoint = endpoint;
        this.logFile = logFile;
        this.logFrom = logFrom;
        this.pidFile = pidFile;
    }

    /**
     * Starts etcd and returns when it reports itself healthy.
     *
     * @throws PortInUseException if the requested port is in use
     * @throws IOException if it ends or is not healthy within 60 s; the message quotes its log
     */
    public static EtcdProcess start(EtcdBinary binary, EtcdSettings settings) throws IOException {
        return start(binary, settings, new EtcdStart());
    }

    /**
     * As {@link #start(EtcdBinary, EtcdSettings)}, for a caller that may end the start.
     *
     * @throws IOException also if {@code start} is closed before etcd is healthy
     */
    public static EtcdProcess start(EtcdBinary binary, EtcdSettings settings, EtcdStart start)
            throws IOException {
        PrivateFolder.make(settings.dataDirectory());
        PidFile pidFile = new PidFile(settings.dataDirectory().resolve("etcd.pid"));
        pidFile.killLeftover(settings.memberDirectory().toString(), STOP_TIMEOUT);
        if (settings.clientPort() != 0) {
            Ports.requireFree("127.0.0.1", settings.clientPort());
        }
        for (int attempt = 1; ; attempt++) {
            int port =
                    settings.clientPort() == 0
                            ? Ports.pickFree("127.0.0.1")
                            : settings.clientPort();
            EtcdProcess etcd = start.launch(() -> launch(binary, settings, port, pidFile));
            try {
                etcd.awaitHealthy();
                return etcd;
            } catch (IOException e) {
                etcd.kill();
                if (attempt == PORT_ATTEMPTS
                        || !String.valueOf(e.getMessage()).contains("address already in use")) {
                    throw e;
                }
            }
        }
    }

    private static EtcdProcess launch(
            EtcdBinary binary, EtcdSettings settings, int port, PidFile pidFile)
            throws IOException {
        Path logFile = settings.dataDirectory().toAbsolutePath().resolve("etcd.log");
        if (Files.exists(logFile) && Files.size(logFile) > MAX_LOG_BYTES) {
            Files.move(
                    logFile,
                    logFile.resolveSibling("etcd.log.1"),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        long logFrom = Files.exists(logFile) ? Files.size(logFile) : 0;
        String endpoint = "http://127.0.0.1:" + port;
        Process process =
                new ProcessBuilder(command(binary, settings, endpoint))
                        .redirectErrorStream(true)
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile.toFile()))
                        .start();
        EtcdProcess etcd = new EtcdProcess(process, endpoint, logFile, logFrom, pidFile);
        try {
            pidFile.write(process.pid());
        } catch (IOException e) {
            etcd.kill();
            throw e;
        }
        return etcd;
    }

    private static List<String> command(EtcdBinary binary, EtcdSettings settings, String endpoint) {
        List<String> command = new ArrayList<>();
        // Ctrl-C signals the terminal's whole process group, but etcd must outlive its clients.
        SearchPath.find("setsid").ifPresent(setsid -> command.add(setsid.toString()));
        command.add(binary.etcd().toString());
        command.addAll(
                List.of(
                        "--name=" + MEMBER,
                        "--data-dir=" + settings.memberDirectory(),
                        "--listen-client-urls=" + endpoint,
                        "--advertise-client-urls=" + endpoint,
                        "--listen-peer-urls=http://127.0.0.1:0",
                        "--initial-advertise-peer-urls=" + PEER_URL,
                        "--initial-cluster=" + MEMBER + "=" + PEER_URL));
        command.addAll(settings.flags());
        return command;
    }

    private void awaitHealthy() throws IOException {
        long deadlineNanos = System.nanoTime() + START_TIMEOUT.toNanos();
        HttpRequest probe =
                HttpRequest.newBuilder(URI.create(endpoint + "/health"))
                        .timeout(PROBE_TIMEOUT)
                        .build();
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(PROBE_TIMEOUT).build()) {
            while (!isHealthy(client, probe)) {
                if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
                    throw new IOException(
                            "etcd ended with code %d: %s (log: %s)"
                                    .formatted(process.exitValue(), lastLogLine(), logFile));
                }
                if (System.nanoTime() > deadlineNanos) {
                    throw new IOException(
                            "etcd was not healthy within %d s: %s (log: %s)"
                                    .formatted(START_TIMEOUT.toSeconds(), lastLogLine(), logFile));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while etcd started", e);
        }
    }

    private static boolean isHealthy(HttpClient client, HttpRequest probe)
            throws InterruptedException {
        try {
            HttpResponse<String> answer = client.send(probe, HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == 200 && answer.body().contains("\"true\"");
        } catch (IOException e) {
            return false;
        }
    }

    /** Of this process: earlier ones wrote to the same file. */
    private String lastLogLine() throws IOException {
        List<String> lines;
        try (RandomAccessFile file = new RandomAccessFile(logFile.toFile(), "r")) {
            long end = file.length();
            file.seek(Math.max(logFrom, end - MAX_QUOTED_BYTES));
            byte[] tail = new byte[(int) (end - file.getFilePointer())];
            file.readFully(tail);
            lines = new String(tail, StandardCharsets.UTF_8).lines().toList();
        }
        return lines.reversed().stream()
                .filter(line -> line.contains("\"fatal\"") || line.contains("\"error\""))
                .findFirst()
                .orElse(lines.isEmpty() ? "no log" : lines.getLast());
    }

    /** The URL for clients. */
    public String endpoint() {
        return endpoint;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Completes with the exit code when the process has ended for any reason. */
    public CompletableFuture<Integer> onExit() {
        return process.onExit().thenApply(Process::exitValue);
    }

    /** The file that etcd writes its log to. */
    public Path logFile() {
        return logFile;
    }

    /** Kills etcd (SIGKILL) without a wait. */
    void abort() {
        process.destroyForcibly();
    }

    /** Kills etcd (SIGKILL), like a crash, and waits for its end. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
        pidFile.remove();
    }

    /** Stops etcd (SIGTERM) and waits for its end; kills it after 4 s. */
    public void stop() {
        process.destroy();
        try {
            process.onExit().get(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException
                | java.util.concurrent.TimeoutException e) {
            // Killed below.
        }
        kill();
    }

    @Override
    public void close() {
        stop();
    }

    /**
     * Restores a snapshot file into a data directory, for a later {@link #start}.
     *
     * @param flags further flags of {@code etcdutl snapshot restore}, such as {@code
     *     --bump-revision}
     * @throws IOException if the directory already holds data, the snapshot is incomplete, or
     *     etcdutl is missing
     */
    public static void restoreSnapshot(
            EtcdBinary binary, Path snapshot, EtcdSettings settings, String... flags)
            throws IOException {
        Path etcdutl =
                binary.etcdutl()
                        .orElseThrow(() -> new IOException("no etcdutl beside " + binary.etcd()));
        PrivateFolder.make(settings.dataDirectory());
        List<String> command = new ArrayList<>();
        command.addAll(
                List.of(
                        etcdutl.toString(),
                        "snapshot",
                        "restore",
                        snapshot.toAbsolutePath().toString(),
                        "--name=" + MEMBER,
                        "--data-dir=" + settings.memberDirectory(),
                        "--initial-advertise-peer-urls=" + PEER_URL,
                        "--initial-cluster=" + MEMBER + "=" + PEER_URL));
        command.addAll(List.of(flags));
        Command.Result result =
                Command.run(settings.dataDirectory(), Duration.ofMinutes(2), command);
        if (!result.succeeded()) {
            throw new IOException("etcdutl snapshot restore failed: " + result.lastLine());
        }
    }
}
