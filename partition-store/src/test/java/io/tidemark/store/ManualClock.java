package io.tidemark.store;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Stands still until it is moved. */
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
