package io.tidemark.chaos.client;

import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;

/** The 410s that one watcher got, those apart that were right. Written by one thread. */
final class WatchExpirations {
    private final RetentionHorizon horizon;
    private final AtomicInteger wrong = new AtomicInteger();
    private final AtomicInteger right = new AtomicInteger();
    private volatile String last = "";

    WatchExpirations(RetentionHorizon horizon) {
        this.horizon = horizon;
    }

    /** Notes one, and returns whether it was right. */
    boolean add(int slot, long cursor, byte[] text, int length) {
        boolean due = horizon.mayBeCompacted(cursor);
        (due ? right : wrong).incrementAndGet();
        last =
                "slot %d said at %s to a watch at %d: %s"
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

    /** What the node said; empty when there was none. */
    String last() {
        return last;
    }
}
