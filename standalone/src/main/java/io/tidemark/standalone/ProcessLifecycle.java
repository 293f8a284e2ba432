package io.tidemark.standalone;

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
 * What a command has started, ended in reverse order: when the process is told to end (Ctrl-C,
 * SIGTERM, SIGHUP; exit code 0), when a part dies for good (exit code 1), or when starting fails.
 *
 * <p>Parts of one stage end side by side. Ending is bounded: what has not ended by the deadline is
 * left behind, which loses nothing, as all parts survive being killed.
 */
final class ProcessLifecycle implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessLifecycle.class);

    /** For all parts together; the promise is 15 s for the process. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(14);

    private static final long LOOK_MILLIS = 100;

    private final IntConsumer halt;
    private final Duration closeTimeout;
    private final Thread hook = new Thread(this::endProcess, "shutdown");
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Guarded by this. */
    private final List<Part> parts = new ArrayList<>();

    /** How many parts are on their way up. Guarded by this. */
    private int starting;

    private boolean closing;

    /** Starts a part. */
    @FunctionalInterface
    interface Starter<T extends AutoCloseable> {
        T start() throws IOException;
    }

    /** The process was told to end while it was starting. */
    static final class EndingException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        EndingException() {
            super("told to end while starting", null, false, false);
        }
    }

    private record Part(int stage, String name, AutoCloseable closeable) {}

    ProcessLifecycle(IntConsumer halt, Duration closeTimeout) {
        this.halt = halt;
        this.closeTimeout = closeTimeout;
    }

    /** Begins with nothing, and takes over what happens at a signal. */
    static ProcessLifecycle begin() {
        ProcessLifecycle running =
                new ProcessLifecycle(code -> Runtime.getRuntime().halt(code), CLOSE_TIMEOUT);
        Runtime.getRuntime().addShutdownHook(running.hook);
        return running;
    }

    /**
     * Starts a part and takes charge of it. Told to end meanwhile, the process waits for the start,
     * so that nothing is left behind half started.
     *
     * @param stage higher stages end first; parts of one stage end side by side
     * @throws EndingException if the process has been told to end
     */
    <T extends AutoCloseable> T start(int stage, String name, Starter<T> starter)
            throws IOException {
        synchronized (this) {
            if (closing) {
                throw new EndingException();
            }
            starting++;
        }
        try {
            T part = starter.start();
            synchronized (this) {
                parts.add(new Part(stage, name, part));
            }
            return part;
        } finally {
            synchronized (this) {
                starting--;
                notifyAll();
            }
        }
    }

    /** To be called when a part has died for good; the first reason counts. */
    void failed(String reason) {
        if (!isClosing()) {
            failure.complete(reason);
        }
    }

    private synchronized boolean isClosing() {
        return closing;
    }

    /**
     * Looks again and again until the condition holds, for as long as that takes.
     *
     * @return false if a part died before
     */
    boolean await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            try {
                String _ = failure.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
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

    /** Waits until a part dies, for ever if need be. A signal ends the process, not this wait. */
    int awaitFailure() {
        LOG.error("ending: {}", failure.join());
        return 1;
    }

    /** Ends all parts, once; further callers wait until that is done. */
    @Override
    public void close() {
        try {
            // From here on the exit code is the command's own.
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
        synchronized (this) {
            first = !closing;
            closing = true;
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
                LOG.warn("ending takes longer than {} s", closeTimeout.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Called with the lock held; gives it up while it waits. */
    private void awaitStarts(long deadlineNanos) {
        try {
            while (starting > 0 && remaining(deadlineNanos) > 0) {
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
                    LOG.warn("{} takes too long and is left behind", ending.getName());
                }
            }
        }
    }

    private static void end(Part part) {
        long startNanos = System.nanoTime();
        try {
            part.closeable().close();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
            LOG.debug("{} ended in {} ms", part.name(), millis);
        } catch (Exception e) {
            LOG.warn("{} did not end cleanly", part.name(), e);
        }
    }

    private static long remaining(long deadlineNanos) {
        return deadlineNanos - System.nanoTime();
    }

    /**
     * A JVM that a signal ends reports the signal as a failure, unless it is halted from a hook.
     */
    private void endProcess() {
        endAll();
        halt.accept(failure.isDone() ? 1 : 0);
    }
}
