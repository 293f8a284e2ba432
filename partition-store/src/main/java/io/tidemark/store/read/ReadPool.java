package io.tidemark.store.read;

import io.tidemark.store.read.ReadExecutor.BusyException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The threads and the queue for one kind of read. */
final class ReadPool implements AutoCloseable {
    /** Further reads are refused at once. */
    private static final int MOST_WAITING = 16_384;

    private static final Duration IDLE = Duration.ofSeconds(30);

    private final String name;
    private final int threads;
    private final Duration queueTimeout;
    private final Duration runTimeout;
    private final ThreadPoolExecutor pool;

    /** Reads that still run although their caller has given up. */
    private final AtomicInteger stuck = new AtomicInteger();

    ReadPool(String name, int threads, Duration queueTimeout, Duration runTimeout) {
        this.name = name;
        this.threads = threads;
        this.queueTimeout = queueTimeout;
        this.runTimeout = runTimeout;
        this.pool =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        IDLE.toMillis(),
                        TimeUnit.MILLISECONDS,
                        new LinkedBlockingQueue<>(MOST_WAITING),
                        Thread.ofPlatform()
                                .name("tidemark-read-" + name + "-", 0)
                                .daemon()
                                .factory());
        pool.allowCoreThreadTimeOut(true);
    }

    <T> T pass(Supplier<T> body) throws BusyException {
        if (stuck.get() >= threads) {
            throw new BusyException(
                    "the disk does not answer: all %d %s reads take longer than %d ms"
                            .formatted(threads, name, runTimeout.toMillis()));
        }
        Read<T> read = new Read<>(body);
        try {
            pool.execute(read);
            return read.await();
        } catch (RejectedExecutionException _) {
            throw new BusyException(
                    pool.isShutdown()
                            ? "closed"
                            : "%d %s reads are queued already".formatted(MOST_WAITING, name));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new BusyException("the reader was interrupted");
        } catch (CancellationException _) {
            throw new BusyException("closed");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw e.getCause() instanceof RuntimeException failure
                    ? failure
                    : new IllegalStateException(e);
        } finally {
            read.giveUp();
        }
    }

    @Override
    public void close() {
        for (Runnable waiting : pool.shutdownNow()) {
            if (waiting instanceof Read<?> read) {
                read.cancel(false);
            }
        }
    }

    private enum Stage {
        WAITING,
        RUNNING,
        STUCK,
        OVER
    }

    private final class Read<T> extends FutureTask<T> {
        /** Guarded by this. */
        private Stage stage = Stage.WAITING;

        Read(Supplier<T> body) {
            super(body::get);
        }

        @Override
        public void run() {
            synchronized (this) {
                stage = Stage.RUNNING;
            }
            try {
                super.run();
            } finally {
                synchronized (this) {
                    if (stage == Stage.STUCK) {
                        stuck.decrementAndGet();
                    }
                    stage = Stage.OVER;
                }
            }
        }

        T await() throws InterruptedException, ExecutionException, BusyException {
            try {
                return get(queueTimeout.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException _) {
                if (stage() == Stage.WAITING) {
                    throw busy("has not begun", queueTimeout);
                }
            }
            try {
                return get(runTimeout.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException _) {
                throw busy("has not ended", runTimeout);
            }
        }

        private BusyException busy(String what, Duration within) {
            return new BusyException(
                    "the disk is slow: a %s read %s within %d ms, %d more wait"
                            .formatted(name, what, within.toMillis(), pool.getQueue().size()));
        }

        private synchronized Stage stage() {
            return stage;
        }

        /** Removes the read from the queue, or interrupts it; does nothing when it is done. */
        void giveUp() {
            if (isDone() || !cancel(true)) {
                return;
            }
            synchronized (this) {
                if (stage == Stage.RUNNING) {
                    stage = Stage.STUCK;
                    stuck.incrementAndGet();
                }
            }
            boolean _ = pool.remove(this);
        }
    }
}
