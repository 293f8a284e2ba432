package io.tidemark.chaos.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process of the cluster that is started, killed, paused and restarted, on the same ports and
 * with the same folder. Not thread-safe but for {@link #isAlive}: one thread works on a process.
 */
public final class ManagedProcess {
    private static final Duration POLL = Duration.ofMillis(100);

    private final ProcessSpec spec;
    private volatile @Nullable Process process;
    private volatile boolean paused;
    private volatile boolean other;
    private long logBegin;

    public ManagedProcess(ProcessSpec spec) {
        this.spec = spec;
    }

    public String name() {
        return spec.name();
    }

    public Path data() {
        return spec.data();
    }

    public Path log() {
        return spec.log();
    }

    /** From its next start on it runs the other release, or today's again. */
    public void setOther(boolean useOther) {
        if (useOther && spec.otherCommand().isEmpty()) {
            throw new IllegalStateException(name() + " has one release only");
        }
        other = useOther;
    }

    /** Whether the other release runs, or will run. */
    public boolean isOther() {
        return other;
    }

    /** Runs it again, in its former folder; returns at once. */
    public void start() throws IOException {
        if (isAlive()) {
            throw new IllegalStateException(name() + " runs already");
        }
        Files.createDirectories(spec.data());
        logBegin = Files.exists(spec.log()) ? Files.size(spec.log()) : 0;
        ProcessBuilder.Redirect log = ProcessBuilder.Redirect.appendTo(spec.log().toFile());
        ProcessBuilder builder =
                new ProcessBuilder(other ? spec.otherCommand() : spec.command())
                        .redirectErrorStream(true)
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                        .redirectOutput(log);
        builder.environment().putAll(spec.environment());
        Process started = builder.start();
        Files.writeString(spec.pidFile(), Long.toString(started.pid()));
        paused = false;
        process = started;
    }

    /**
     * Waits for its log's line that it serves.
     *
     * @throws IOException when it ended or did not log that in time; quotes its log
     */
    public ManagedProcess awaitReady(Duration timeout) throws IOException, InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        while (!("\n" + sinceStart()).contains(spec.readyMark())) {
            if (!isAlive() || System.nanoTime() > end) {
                throw new IOException(
                        "%s %s: %s"
                                .formatted(
                                        name(),
                                        isAlive() ? "was not ready in " + timeout : "ended",
                                        tail()));
            }
            TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
        }
        return this;
    }

    public boolean isAlive() {
        Process running = process;
        return running != null && running.isAlive();
    }

    /** Whether it lives and is not paused by {@link #pause}. */
    public boolean isRunning() {
        return isAlive() && !paused;
    }

    /** SIGKILL. */
    public void kill() throws InterruptedException, IOException {
        Process running = running();
        running.destroyForcibly();
        running.waitFor();
        ended();
    }

    /** SIGTERM; returns whether it ended in time, and kills it otherwise. */
    public boolean stop(Duration timeout) throws InterruptedException, IOException {
        Process running = running();
        running.destroy();
        boolean inTime = running.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        if (!inTime) {
            running.destroyForcibly();
            running.waitFor();
        }
        ended();
        return inTime;
    }

    /** SIGSTOP: it keeps its connections and sends nothing. */
    public void pause() throws InterruptedException, IOException {
        signal("STOP");
        paused = true;
    }

    /** SIGCONT. */
    public void resume() throws InterruptedException, IOException {
        signal("CONT");
        paused = false;
    }

    /** Deletes its data. */
    public void wipe() throws IOException {
        if (isAlive()) {
            throw new IllegalStateException(name() + " runs");
        }
        Folders.delete(spec.data());
    }

    private void signal(String signal) throws InterruptedException, IOException {
        long pid = running().pid();
        int code =
                new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                        .inheritIO()
                        .start()
                        .waitFor();
        if (code != 0) {
            throw new IOException("kill -%s of %s failed".formatted(signal, name()));
        }
    }

    private Process running() {
        Process running = process;
        if (running == null || !running.isAlive()) {
            throw new IllegalStateException(name() + " does not run");
        }
        return running;
    }

    private void ended() throws IOException {
        paused = false;
        Files.deleteIfExists(spec.pidFile());
    }

    /** The end of its output since its last start. */
    public String tail() {
        String said = sinceStart().strip();
        return said.substring(Math.max(0, said.length() - 2_000));
    }

    /**
     * Whether its output since the last start contains this.
     *
     * @param text in lower case
     */
    public boolean hasLogged(String text) {
        return sinceStart().toLowerCase(Locale.ROOT).contains(text);
    }

    private String sinceStart() {
        try (RandomAccessFile file = new RandomAccessFile(spec.log().toFile(), "r")) {
            file.seek(Math.min(logBegin, file.length()));
            byte[] bytes = new byte[(int) Math.min(file.length() - file.getFilePointer(), 1 << 20)];
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
