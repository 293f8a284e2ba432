package io.tidemark.query.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shares the result of a costly operation: callers during a round, or within a pause after it, get
 * the same result. Thread-safe.
 */
final class RequestCoalescer<T extends Object> {
    private final Duration pause;
    private final LongSupplier nanoClock;
    private final Round<T> round;
    private final ReentrantLock lock = new ReentrantLock();

    /** Result of the last round; null before the first. Guarded by lock, as is endedNanos. */
    private @Nullable T result;

    private long endedNanos;

    /** The operation, which must take a bounded time. */
    @FunctionalInterface
    interface Round<T> {
        T run() throws IOException, InterruptedException;
    }

    /**
     * @param pause how long the result of a round is reused
     * @param nanoClock such as {@link System#nanoTime}
     */
    RequestCoalescer(Duration pause, LongSupplier nanoClock, Round<T> round) {
        this.pause = pause;
        this.nanoClock = nanoClock;
        this.round = round;
    }

    /** The result of a round that ended no longer ago than the pause. */
    T get() throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            @Nullable T known = result;
            if (known != null && nanoClock.getAsLong() - endedNanos < pause.toNanos()) {
                return known;
            }
            T next = round.run();
            result = next;
            endedNanos = nanoClock.getAsLong();
            return next;
        } finally {
            lock.unlock();
        }
    }
}
