package io.tidemark.chaos.client;

import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;

/** The 410s that one watcher got, justified ones separately. Written by one thread. */
final class WatchExpirations {
    private final RetentionHorizon horizon;
    private final AtomicInteger wrong = new AtomicInteger();
    private final AtomicInteger right = new AtomicInteger();
    private volatile String last = "";

    WatchExpirations(RetentionHorizon horizon) {
        this.horizon = horizon;
    }

    /** Records one, and returns whether it was justified. */
    boolean add(int slot, long cursor, byte[] text, int length) {
        boolean due = horizon.mayBeCompacted(cursor);
        (due ? right : wrong).incrementAndGet();
        last =
                "slot %d refused at %s a watch at %d: %s"
                        .formatted(
                                slot,
                                LocalTime.now(ZoneOffset.UTC),
                                cursor,
                                new String(text, 0, length, StandardCharsets.UTF_8));
        return due;
    }

    int wrong() {
        return wrong.get();
    }

    int right() {
        return right.get();
    }

    /** The node's message; empty when there was none. */
    String last() {
        return last;
    }
}
