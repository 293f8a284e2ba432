package io.tidemark.query.http.exchange;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of all live watches of a node: a few writers, which must not block, a timer, and a
 * few judges, which may ask other servers about the rights of watches. A live watch needs no other
 * thread. A queue holds each watch once at most.
 */
public final class WatchWriters implements AutoCloseable {
    private static final int LEAST_JUDGES = 4;
    private static final long IDLE_SECONDS = 60;

    private final ThreadPoolExecutor writers;
    private final ThreadPoolExecutor judges;
    private final ScheduledThreadPoolExecutor timer;

    /** As many writers as there are processors. */
    public WatchWriters() {
        int threads = Runtime.getRuntime().availableProcessors();
        writers = pool(threads, "watch-writer-");
        judges = pool(Math.max(LEAST_JUDGES, threads), "watch-judge-");
        judges.allowCoreThreadTimeOut(true);
        timer =
                new ScheduledThreadPoolExecutor(
                        1,
                        Thread.ofPlatform().daemon().name("watch-timer").factory(),
                        new ThreadPoolExecutor.DiscardPolicy());
        timer.setRemoveOnCancelPolicy(true);
    }

    private static ThreadPoolExecutor pool(int threads, String name) {
        ThreadFactory factory = Thread.ofPlatform().daemon().name(name, 0).factory();
        return new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                factory,
                new ThreadPoolExecutor.DiscardPolicy());
    }

    /** Runs judgements, which wait for other servers for a bounded time. */
    public Executor judges() {
        return judges;
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
        judges.shutdownNow();
    }
}
