package io.tidemark.query.past;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/** How far a replay has come: its time passes at a multiple of the clock's. */
public final class ReplayClock {
    private static final double NANOS = 1e9;

    private final Instant from;
    private final double speed;
    private final LongSupplier nanoClock;
    private final long began;

    /**
     * Starts at {@code from}.
     *
     * @param nanoClock such as {@link System#nanoTime}
     */
    public ReplayClock(Instant from, double speed, LongSupplier nanoClock) {
        this.from = from;
        this.speed = speed;
        this.nanoClock = nanoClock;
        this.began = nanoClock.getAsLong();
    }

    /** The time of the replay by now. */
    public Instant time() {
        double seconds = (nanoClock.getAsLong() - began) / NANOS * speed;
        return from.plus(Duration.ofMillis((long) (seconds * 1_000)));
    }
}
