package io.tidemark.simulation.world;

import java.time.Instant;
import java.time.InstantSource;

/** A machine's own clock: it runs at the right speed, and may be set to another time. */
public final class SkewedClock implements InstantSource {
    private final Scheduler scheduler;
    private long offsetMillis;
    private long furthestAheadMillis;

    public SkewedClock(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** From now on it shows the true time plus this offset; may be negative. */
    public void set(long newOffsetMillis) {
        offsetMillis = newOffsetMillis;
        furthestAheadMillis = Math.max(furthestAheadMillis, newOffsetMillis);
    }

    /** The most that it has ever been ahead of the true time, at least 0. */
    public long furthestAheadMillis() {
        return furthestAheadMillis;
    }

    @Override
    public long millis() {
        return scheduler.nowMillis() + offsetMillis;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }
}
