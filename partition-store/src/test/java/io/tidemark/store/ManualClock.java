package io.tidemark.store;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that only moves when a test advances it. */
public final class ManualClock implements InstantSource {
    private volatile Instant now;

    public ManualClock(Instant start) {
        this.now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    public void advance(Duration by) {
        now = now.plus(by);
    }
}
