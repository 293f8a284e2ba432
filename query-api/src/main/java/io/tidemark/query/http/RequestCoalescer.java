package io.tidemark.query.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers many askers with few rounds of something that is costly: those who ask while a round
 * runs, or within a pause after it, share what it came to. Safe for all threads.
 */
final class RequestCoalescer<T extends Object> {
    private final Duration pause;
    private final LongSupplier nanoClock;
    private final Round<T> round;
    private final ReentrantLock lock = new ReentrantLock();

    /** Of the last round; null before the first. Guarded by the lock, as is when it ended. */
    private @Nullable T result;

    private long endedNanos;

    /** One round, which takes a bounded time. */
    @FunctionalInterface
    interface Round<T> {
        T run() throws IOException, InterruptedException;
    }

    /**
     * @param pause for which the result of a round is good; the next one begins no earlier
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
