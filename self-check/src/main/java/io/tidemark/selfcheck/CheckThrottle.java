package io.tidemark.selfcheck;

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
    private final CheckRuntime runtime;
    private long workedNanos;
    private long since;
    private Duration interval;

    CheckThrottle(Duration configured, CheckRuntime runtime) {
        this.configured = configured;
        this.interval = configured;
        this.runtime = runtime;
    }

    void begin() {
        workedNanos = 0;
        since = runtime.workedNanos();
    }

    /** Pauses after a piece of work of a few milliseconds. */
    void rest() throws InterruptedException {
        long worked = runtime.workedNanos() - since;
        workedNanos += worked;
        Duration pause = Duration.ofNanos(worked * REST);
        runtime.pause(pause.compareTo(LONGEST_REST) < 0 ? pause : LONGEST_REST);
        since = runtime.workedNanos();
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
