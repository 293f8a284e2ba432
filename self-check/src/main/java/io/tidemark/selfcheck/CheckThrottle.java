package io.tidemark.selfcheck;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/**
 * Keeps the check cheap: while it reads, it rests nine times as long as it works, and the time from
 * one comparison to the next is at least a hundred times what one costs. Belongs to one thread.
 */
final class CheckThrottle {
    /** At most this part of a core, over a long time. */
    private static final int SHARE = 100;

    private static final int REST = 9;
    private static final Duration LONGEST_REST = Duration.ofMillis(500);

    private final Duration configured;
    private final Sleeper rest;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long workedNanos;
    private long since;
    private Duration interval;

    /** Waits. */
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

    /** After a piece of work of a few milliseconds. */
    void rest() throws InterruptedException {
        long worked = now() - since;
        workedNanos += worked;
        Duration pause = Duration.ofNanos(worked * REST);
        rest.of(pause.compareTo(LONGEST_REST) < 0 ? pause : LONGEST_REST);
        since = now();
    }

    /** What has been worked since {@link #begin}. */
    Duration worked() {
        return Duration.ofNanos(workedNanos);
    }

    /**
     * Sets the interval by what a whole comparison has cost.
     *
     * @return whether it was stretched, or let go, by so much that people should know
     */
    boolean settle(Duration cost) {
        Duration wanted = cost.multipliedBy(SHARE);
        Duration before = interval;
        interval = wanted.compareTo(configured) > 0 ? wanted : configured;
        return interval.compareTo(before.multipliedBy(2)) > 0
                || before.compareTo(interval.multipliedBy(2)) > 0;
    }

    Duration interval() {
        return interval;
    }
}
