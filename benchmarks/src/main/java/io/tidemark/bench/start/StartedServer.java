package io.tidemark.bench.start;

import io.tidemark.bench.http.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A server that this program starts and ends, one process after the other. It removes data only
 * after the server was started on a folder that was empty before. One thread uses it; {@link
 * #close} may come from another.
 */
public final class StartedServer implements AutoCloseable {
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration END_TIMEOUT = Duration.ofMinutes(1);

    private final Target target;
    private final StartCommand command;
    private final Path log;
    private final Duration readyTimeout;
    private final Duration endTimeout;

    private boolean launched;
    private boolean complete;

    // Guarded by this.
    private @Nullable Process process;
    private boolean closed;

    /**
     * @param log receives the output of all its processes
     */
    StartedServer(Target target, StartCommand command, Path log) {
        this(target, command, log, READY_TIMEOUT, END_TIMEOUT);
    }

    StartedServer(
            Target target,
            StartCommand command,
            Path log,
            Duration readyTimeout,
            Duration endTimeout) {
        this.target = target;
        this.command = command;
        this.log = log;
        this.readyTimeout = readyTimeout;
        this.endTimeout = endTimeout;
    }

    public StartCommand command() {
        return command;
    }

    public Path log() {
        return log;
    }

    /** Whether a process of this run was ready on the data that is there. */
    public boolean hasData() {
        return complete;
    }

    /** The server with its newest process; without one before the first start. */
    public synchronized Target target() {
        return process == null ? target : target.withProcess(process.pid());
    }

    /**
     * Refuses a folder with content, which a run would remove, and an address where a server
     * listens, which a run would take for this one.
     *
     * @throws IllegalArgumentException saying which
     */
    void requireUnused() throws IOException {
        Path data = command.data();
        if (data != null && !Folders.isMissingOrEmpty(data)) {
            throw new IllegalArgumentException(
                    "%s is not an empty folder: starts of %s would remove what is in it; give a"
                                    .formatted(data, target.name())
                            + " folder for this run alone, or empty it first");
        }
        if (target.isListening()) {
            throw new IllegalArgumentException(
                    "a server listens at %s already: stop it, since %s is to be started there"
                            .formatted(target.base(), target.name()));
        }
    }

    /**
     * Starts a process and waits until it is ready, five minutes at most. After a failure no
     * process is left.
     *
     * @return the time from the start of the process to the answer that it is ready
     * @throws IOException if it ends before, or is not ready in time
     */
    public Duration start() throws IOException, InterruptedException {
        if (target.isListening()) {
            throw new IOException("another server listens at " + target.base());
        }
        complete = false;
        long began = System.nanoTime();
        Process started = launch();
        try {
            long ready = awaitReady(started);
            requireDataInFolder();
            complete = true;
            return Duration.ofNanos(ready - began);
        } finally {
            if (!complete) {
                end();
            }
        }
    }

    private Process launch() throws IOException {
        Files.writeString(
                log,
                "--- start of %s, %s%n"
                        .formatted(target.name(), Instant.now().truncatedTo(ChronoUnit.SECONDS)),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        // With exec, the process of the shell becomes that of the server.
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-c", "exec " + command.line())
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        synchronized (this) {
            // Else a start after the shutdown hook has run would leave a process.
            if (closed) {
                throw new IllegalStateException("the run has ended");
            }
            launched = true;
            Process started = builder.start();
            process = started;
            return started;
        }
    }

    private long awaitReady(Process started) throws IOException, InterruptedException {
        try (Readiness readiness = Readiness.begin(target)) {
            CompletableFuture<Long> ready = readiness.ready();
            awaitEither(ready, started.onExit());
            if (!started.isAlive()) {
                throw new IOException(
                        "ended with exit code %d before it was ready"
                                .formatted(started.exitValue()));
            }
            if (!ready.isDone()) {
                throw new IOException(
                        "not ready within %d s: %s"
                                .formatted(readyTimeout.toSeconds(), readiness.lastAnswer()));
            }
            return ready.resultNow();
        }
    }

    private void awaitEither(CompletableFuture<Long> ready, CompletableFuture<Process> ended)
            throws InterruptedException {
        try {
            CompletableFuture.anyOf(ready, ended)
                    .get(readyTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            // The caller looks which of them is done.
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A wrong option would turn first starts into restarts. */
    private void requireDataInFolder() throws IOException {
        Path data = command.data();
        if (data != null && Folders.isMissingOrEmpty(data)) {
            throw new IOException(
                    "stored nothing in its data folder %s: its command names another one"
                            .formatted(data));
        }
    }

    /**
     * Ends the process, if one runs: with SIGTERM, and after a minute with SIGKILL.
     *
     * @throws IOException if it took SIGKILL: the next start would follow a crash
     */
    public void stop() throws IOException, InterruptedException {
        if (!end()) {
            throw new IOException(
                    "did not end within %d s of SIGTERM and was killed"
                            .formatted(endTimeout.toSeconds()));
        }
    }

    /** As {@link #stop}; returns whether SIGTERM was enough. */
    public boolean end() throws InterruptedException {
        Process running;
        synchronized (this) {
            running = process;
        }
        if (running == null) {
            return true;
        }
        // A server that is killed leaves the processes that it has started.
        List<ProcessHandle> children = running.descendants().toList();
        running.destroy();
        try {
            return running.waitFor(endTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            running.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
            running.waitFor(endTimeout.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Empties the data folder.
     *
     * @throws IOException also if it has content before the first start
     */
    public void removeData() throws IOException {
        Path data = requireFolder(command.data());
        if (!launched && !Folders.isMissingOrEmpty(data)) {
            throw new IOException(data + " is not empty any more, before the first start");
        }
        complete = false;
        Folders.empty(data);
    }

    /**
     * Empties the state folder.
     *
     * @throws IOException also if nothing is in it, or a symlink leads out of the data folder
     */
    public void removeState() throws IOException {
        Path state = requireFolder(command.state());
        Path data = requireFolder(command.data());
        if (Folders.isMissingOrEmpty(state)) {
            throw new IOException(
                    "its state folder %s is missing or empty: without it, this would be a restart"
                            .formatted(state));
        }
        boolean link = Files.isSymbolicLink(state);
        if (link || !state.toRealPath().startsWith(data.toRealPath())) {
            throw new IOException(
                    "its state folder %s is outside of %s, or a symlink".formatted(state, data));
        }
        Folders.empty(state);
    }

    private synchronized Path requireFolder(@Nullable Path folder) {
        if (folder == null || process != null && process.isAlive()) {
            throw new IllegalStateException("no folder was given, or its server runs");
        }
        return folder;
    }

    /** Ends the process. No other is started after this. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        try {
            end();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
