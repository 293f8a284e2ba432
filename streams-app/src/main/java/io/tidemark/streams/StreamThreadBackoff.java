package io.tidemark.streams;

import java.time.Duration;

/**
 * How long to wait before a stream thread that failed is replaced: twice as long each time, up to a
 * bound, and as at first when one has run for a while.
 */
final class StreamThreadBackoff {
    private static final Duration FIRST = Duration.ofSeconds(1);

    /** The group waits for no more than this, should it rebalance meanwhile. */
    private static final Duration LONGEST = Duration.ofSeconds(8);

    private static final Duration RAN_WELL = Duration.ofMinutes(1);

    private Duration pause = FIRST;
    private long lastNanos;
    private int consecutive;

    /** One has failed now. */
    synchronized Duration next(long nowNanos) {
        boolean again = consecutive > 0 && nowNanos - lastNanos < RAN_WELL.toNanos();
        consecutive = again ? consecutive + 1 : 1;
        pause = again ? pause.multipliedBy(2) : FIRST;
        pause = pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
        lastNanos = nowNanos;
        return pause;
    }

    /** How many there were, each soon after the one before. */
    synchronized int consecutive() {
        return consecutive;
    }
}
