package io.tidemark.streams;

import java.time.Duration;

/**
 * How long to wait before replacing a failed stream thread: doubles with each failure up to a
 * bound, and starts over when a thread has run for a while.
 */
final class StreamThreadBackoff {
    private static final Duration FIRST = Duration.ofSeconds(1);

    /** Bounds how long a rebalance in the meantime waits for this node. */
    private static final Duration LONGEST = Duration.ofSeconds(8);

    private static final Duration RAN_WELL = Duration.ofMinutes(1);

    private Duration pause = FIRST;
    private long lastNanos;
    private int consecutive;

    /** Counts a failure, and returns the pause before the next thread. */
    synchronized Duration next(long nowNanos) {
        boolean again = consecutive > 0 && nowNanos - lastNanos < RAN_WELL.toNanos();
        consecutive = again ? consecutive + 1 : 1;
        pause = again ? pause.multipliedBy(2) : FIRST;
        pause = pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
        lastNanos = nowNanos;
        return pause;
    }

    /** Failures in a row, each soon after the one before. */
    synchronized int consecutive() {
        return consecutive;
    }
}
