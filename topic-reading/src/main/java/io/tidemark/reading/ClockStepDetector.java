package io.tidemark.reading;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Detects that this machine's wall clock was set back. Kafka's clients measure their waits by it:
 * set back by an hour, they send no heartbeat, commit nothing and connect nowhere for an hour, and
 * still consider themselves members of a group that has long removed them. Only new clients help.
 * (Set forward, their waits end at once, and they recover by themselves.) Single-threaded.
 */
public final class ClockStepDetector {
    /** Smaller steps are covered by Kafka's own timeouts. */
    static final Duration LEAST = Duration.ofSeconds(2);

    /**
     * This thread may stall between the reads of the two clocks: such a measurement is discarded.
     */
    private static final long MAX_READ_MILLIS = 100;

    private final InstantSource wall;
    private final LongSupplier nanoTime;

    /** Offset of the wall clock from the monotonic one, at the last call. */
    private long offsetMillis;

    public ClockStepDetector() {
        this(InstantSource.system(), System::nanoTime);
    }

    /**
     * @param wall the clock that may be set
     * @param nanoTime a monotonic clock, as {@link System#nanoTime}
     */
    public ClockStepDetector(InstantSource wall, LongSupplier nanoTime) {
        this.wall = wall;
        this.nanoTime = nanoTime;
        this.offsetMillis = wall.millis() - millis(nanoTime.getAsLong());
    }

    /**
     * By how much the clock was set back since the last call, which should be about a second ago;
     * zero when it was not, or by a negligible amount.
     */
    public Duration setBack() {
        long before = nanoTime.getAsLong();
        long now = wall.millis();
        long after = nanoTime.getAsLong();
        if (millis(after - before) > MAX_READ_MILLIS) {
            return Duration.ZERO;
        }
        long offset = now - millis(before);
        Duration back = Duration.ofMillis(offsetMillis - offset);
        offsetMillis = offset;
        return back.compareTo(LEAST) < 0 ? Duration.ZERO : back;
    }

    private static long millis(long nanos) {
        return Duration.ofNanos(nanos).toMillis();
    }
}
