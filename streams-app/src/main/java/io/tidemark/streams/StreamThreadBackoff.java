package io.tidemark.streams;

import io.tidemark.concurrent.Backoff;
import java.time.Duration;

/**
 * How long to wait before replacing a failed stream thread: longer with each failure, and from the
 * start when a thread has run for a while.
 */
final class StreamThreadBackoff {
    /** The longest bounds how long a rebalance in the meantime waits for this node. */
    private static final Backoff PAUSES = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(8));

    private static final Duration RAN_WELL = Duration.ofMinutes(1);

    private long lastNanos;
    private int consecutive;

    /** Counts a failure, and returns the pause before the next thread. */
    synchronized Duration next(long nowNanos) {
        consecutive = nowNanos - lastNanos < RAN_WELL.toNanos() ? consecutive + 1 : 1;
        lastNanos = nowNanos;
        return PAUSES.after(consecutive);
    }

    /** Failures in a row, each soon after the one before. */
    synchronized int consecutive() {
        return consecutive;
    }
}
