package io.tidemark.standalone.process;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts that a command has started. Stops them in reverse order on a signal (Ctrl-C, SIGTERM,
 * SIGHUP; exit code 0), when a part fails permanently (exit code 1), or when starting fails.
 *
 * <p>Parts of one stage stop in parallel. The shutdown is bounded: parts that have not stopped by
 * the deadline are abandoned, which loses no data, as all parts survive being killed.
 */
public final class ProcessLifecycle implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessLifecycle.class);

    /** For all parts together; the process promises to end within 15 s. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(14);

    /** Between two looks at a condition that someone waits for. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private final IntConsumer halt;
    private final Duration closeTimeout;
    private final Thread hook = new Thread(this::endProcess, "shutdown");
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Guarded by this. */
    private final List<Part> parts = new ArrayList<>();

    /** What ends each start in progress. Guarded by this. */
    private final List<Part> starting = new ArrayList<>();

    private boolean closing;

    /** Starts a part. */
    @FunctionalInterface
    public interface Starter<T extends AutoCloseable> {
        T start() throws IOException;
    }

    /** A signal ended the process while it was starting. */
    public static final class EndingException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        EndingException() {
            super("shutdown requested while starting", null, false, false);
        }
    }

    private record Part(int stage, String name, AutoCloseable closeable) {}

    ProcessLifecycle(IntConsumer halt, Duration closeTimeout) {
        this.halt = halt;
        this.closeTimeout = closeTimeout;
    }

    /** Creates a lifecycle without parts, and installs its shutdown hook. */
    public static ProcessLifecycle begin() {
        ProcessLifecycle running =
                new ProcessLifecycle(code -> Runtime.getRuntime().halt(code), CLOSE_TIMEOUT);
        Runtime.getRuntime().addShutdownHook(running.hook);
        return running;
    }

    /**
     * Starts a part and registers it for shutdown. A shutdown waits for starts in progress, so that
     * no part is left half started.
     *
     * @param stage higher stages stop first; parts of one stage stop in parallel
     * @throws EndingException if a shutdown has begun
     */
    public <T extends AutoCloseable> T start(int stage, String name, Starter<T> starter)
            throws IOException {
        return start(stage, name, starter, () -> {});
    }

    /**
     * Starts a part that may take longer to start than a shutdown waits.
     *
     * @param abort closed by a shutdown during the start: lets it fail soon, and leaves nothing
     * @throws EndingException if a shutdown has begun, also during the start
     */
    public <T extends AutoCloseable> T start(
            int stage, String name, Starter<T> starter, AutoCloseable abort) throws IOException {
        Part start = new Part(stage, "start of " + name, abort);
        synchronized (this) {
            if (closing) {
                throw new EndingException();
            }
            starting.add(start);
        }
        try {
            T part = starter.start();
            synchronized (this) {
                parts.add(new Part(stage, name, part));
            }
            return part;
        } catch (IOException e) {
            if (isClosing()) {
                LOG.debug("{} did not start", name, e);
                throw new EndingException();
            }
            throw e;
        } finally {
            synchronized (this) {
                starting.remove(start);
                notifyAll();
            }
        }
    }

    /** Reports that a part has failed permanently; the first reason counts. */
    public void failed(String reason) {
        if (!isClosing()) {
            failure.complete(reason);
        }
    }

    private synchronized boolean isClosing() {
        return closing;
    }

    /**
     * Polls ten times a second until the condition holds, without a timeout.
     *
     * @return false if a part failed before
     */
    public boolean await(BooleanSupplier condition) {
        return await(condition, POLL_INTERVAL);
    }

    /**
     * Polls until the condition holds, without a timeout.
     *
     * @param interval between two looks; at least a millisecond
     * @return false if a part failed before
     */
    public boolean await(BooleanSupplier condition, Duration interval) {
        while (!condition.getAsBoolean()) {
            try {
                String _ = failure.get(interval.toMillis(), TimeUnit.MILLISECONDS);
                return false;
            } catch (TimeoutException e) {
                LOG.trace("not yet", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
        return true;
    }

    /** Waits without a timeout until a part fails. A signal ends the process, not this wait. */
    public int awaitFailure() {
        LOG.error("ending: {}", failure.join());
        return 1;
    }

    /** Stops all parts, once; further callers wait for the first one. */
    @Override
    public void close() {
        try {
            // From here on the command sets the exit code.
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.trace("the shutdown hook runs already", e);
        }
        endAll();
    }

    private void endAll() {
        long deadlineNanos = System.nanoTime() + closeTimeout.toNanos();
        boolean first;
        List<Part> toClose = List.of();
        List<Part> toAbort;
        synchronized (this) {
            first = !closing;
            closing = true;
            toAbort = first ? List.copyOf(starting) : List.of();
        }
        toAbort.forEach(ProcessLifecycle::end);
        synchronized (this) {
            if (first) {
                awaitStarts(deadlineNanos);
                toClose = List.copyOf(parts);
            }
        }
        try {
            if (first) {
                endInStages(toClose, deadlineNanos);
                closed.countDown();
            } else if (!closed.await(remaining(deadlineNanos), TimeUnit.NANOSECONDS)) {
                LOG.warn("the shutdown takes longer than {} s", closeTimeout.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Called with the lock held; releases it while it waits. */
    private void awaitStarts(long deadlineNanos) {
        try {
            while (!starting.isEmpty() && remaining(deadlineNanos) > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, remaining(deadlineNanos));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void endInStages(List<Part> parts, long deadlineNanos)
            throws InterruptedException {
        List<Integer> stages = parts.stream().map(Part::stage).distinct().sorted().toList();
        for (int stage : stages.reversed()) {
            List<Thread> endings = new ArrayList<>();
            for (Part part : parts) {
                if (part.stage() == stage) {
                    endings.add(
                            Thread.ofPlatform()
                                    .daemon()
                                    .name("close " + part.name())
                                    .start(() -> end(part)));
                }
            }
            for (Thread ending : endings) {
                ending.join(Duration.ofNanos(Math.max(1, remaining(deadlineNanos))));
                if (ending.isAlive()) {
                    LOG.warn("{} takes too long and is abandoned", ending.getName());
                }
            }
        }
    }

    private static void end(Part part) {
        long startNanos = System.nanoTime();
        try {
            part.closeable().close();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
            LOG.debug("{} stopped in {} ms", part.name(), millis);
        } catch (Exception e) {
            LOG.warn("{} did not stop cleanly", part.name(), e);
        }
    }

    private static long remaining(long deadlineNanos) {
        return deadlineNanos - System.nanoTime();
    }

    /** Halts, because otherwise a JVM that a signal ends exits with a failure code. */
    private void endProcess() {
        endAll();
        halt.accept(failure.isDone() ? 1 : 0);
    }
}
