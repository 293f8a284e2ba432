package io.tidemark.selfcheck;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/**
 * Bounds the check's processor time: it pauses nine times as long as it works, and the interval
 * between comparisons is at least a hundred times the cost of one. For one thread.
 */
final class CheckThrottle {
    /** In the long term, at most one part in this many of a core. */
    private static final int SHARE = 100;

    private static final int REST = 9;
    private static final Duration LONGEST_REST = Duration.ofMillis(500);

    private final Duration configured;
    private final Sleeper rest;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long workedNanos;
    private long since;
    private Duration interval;

    @FunctionalInterface
    interface Sleeper {
        void of(Duration pause) throws InterruptedException;
    }

    CheckThrottle(Duration configured, Sleeper rest) {
        this.configured = configured;
        this.interval = configured;
        this.rest = rest;
    }

    private long now() {
        return threads.isCurrentThreadCpuTimeSupported()
                ? threads.getCurrentThreadCpuTime()
                : System.nanoTime();
    }

    void begin() {
        workedNanos = 0;
        since = now();
    }

    /** Pauses after a piece of work of a few milliseconds. */
    void rest() throws InterruptedException {
        long worked = now() - since;
        workedNanos += worked;
        Duration pause = Duration.ofNanos(worked * REST);
        rest.of(pause.compareTo(LONGEST_REST) < 0 ? pause : LONGEST_REST);
        since = now();
    }

    /** Processor time used since {@link #begin}. */
    Duration worked() {
        return Duration.ofNanos(workedNanos);
    }

    /**
     * Sets the interval from the cost of a complete comparison.
     *
     * @return whether it has more than doubled or halved, which is worth a log line
     */
    boolean settle(Duration cost) {
        Duration required = cost.multipliedBy(SHARE);
        Duration before = interval;
        interval = required.compareTo(configured) > 0 ? required : configured;
        return interval.compareTo(before.multipliedBy(2)) > 0
                || before.compareTo(interval.multipliedBy(2)) > 0;
    }

    Duration interval() {
        return interval;
    }
}
