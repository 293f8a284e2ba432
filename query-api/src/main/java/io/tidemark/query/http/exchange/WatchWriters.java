package io.tidemark.query.http.exchange;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of all live watches of a node: a few writers, which must not block, and a timer. A
 * live watch needs no other thread. A queue holds each watch once at most.
 */
public final class WatchWriters implements AutoCloseable {
    private final ThreadPoolExecutor writers;
    private final ScheduledThreadPoolExecutor timer;

    /** As many writers as there are processors. */
    public WatchWriters() {
        int threads = Runtime.getRuntime().availableProcessors();
        ThreadFactory factory = Thread.ofPlatform().daemon().name("watch-writer-", 0).factory();
        writers =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        0,
                        TimeUnit.NANOSECONDS,
                        new LinkedBlockingQueue<>(),
                        factory,
                        new ThreadPoolExecutor.DiscardPolicy());
        timer =
                new ScheduledThreadPoolExecutor(
                        1,
                        Thread.ofPlatform().daemon().name("watch-timer").factory(),
                        new ThreadPoolExecutor.DiscardPolicy());
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Runs tasks that do not block. */
    public Executor executor() {
        return writers;
    }

    /**
     * Runs a task that does not block at a time.
     *
     * @param nanos as of {@link System#nanoTime}
     */
    public Future<?> at(long nanos, Runnable task) {
        return timer.schedule(task, nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** Ends the threads; tasks that have not begun never run. */
    @Override
    public void close() {
        timer.shutdownNow();
        writers.shutdownNow();
    }
}
