package io.tidemark.query.http.health;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Repeats the result of a costly operation for a while. Not thread-safe: concurrent callers share
 * its calls through a {@link io.tidemark.concurrent.Coalescer}.
 */
final class RecentResult<T extends Object> implements Callable<T> {
    private final Duration reuse;
    private final LongSupplier nanoClock;
    private final Callable<T> operation;

    /** Null before the first. */
    private @Nullable T result;

    private long endedNanos;

    /**
     * @param reuse how long a result is repeated after the operation ended
     * @param nanoClock such as {@link System#nanoTime}
     */
    RecentResult(Duration reuse, LongSupplier nanoClock, Callable<T> operation) {
        this.reuse = reuse;
        this.nanoClock = nanoClock;
        this.operation = operation;
    }

    @Override
    public T call() throws Exception {
        @Nullable T known = result;
        if (known != null && nanoClock.getAsLong() - endedNanos < reuse.toNanos()) {
            return known;
        }
        T next = operation.call();
        result = next;
        endedNanos = nanoClock.getAsLong();
        return next;
    }
}
