package io.tidemark.reading;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Notices that this machine's wall clock was set back. Kafka's clients measure their waits by it:
 * set back by an hour, they send no heartbeat, commit nothing and connect nowhere for an hour, and
 * take themselves for members of a group that has long gone on without them. Only new clients help.
 * (Set forward, their waits are over at once, and they find back by themselves.) For one thread.
 */
public final class ClockStepDetector {
    /** What a clock is set back by less, Kafka's own patience covers. */
    static final Duration LEAST = Duration.ofSeconds(2);

    /** Between the looks at the two clocks this thread may be held up: such a look says nothing. */
    private static final long LONGEST_LOOK_MILLIS = 100;

    private final InstantSource wall;
    private final LongSupplier nanoTime;

    /** Of the wall clock from the other one, at the last look. */
    private long offsetMillis;

    public ClockStepDetector() {
        this(InstantSource.system(), System::nanoTime);
    }

    /**
     * @param wall the clock that may be set
     * @param nanoTime one that goes on whatever happens, as {@link System#nanoTime}
     */
    public ClockStepDetector(InstantSource wall, LongSupplier nanoTime) {
        this.wall = wall;
        this.nanoTime = nanoTime;
        this.offsetMillis = wall.millis() - millis(nanoTime.getAsLong());
    }

    /**
     * By how much the clock was set back since the last call, to be called a few times a second;
     * zero when it was not, or by so little that it does not matter.
     */
    public Duration setBack() {
        long before = nanoTime.getAsLong();
        long now = wall.millis();
        long after = nanoTime.getAsLong();
        if (millis(after - before) > LONGEST_LOOK_MILLIS) {
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
