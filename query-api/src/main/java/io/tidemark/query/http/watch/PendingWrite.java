package io.tidemark.query.http.watch;

import java.time.Duration;
import java.util.OptionalLong;

/** Since when the server waits for a client to read. One write at a time is waited for. */
final class PendingWrite {
    /** By {@link System#nanoTime}; empty when nothing is waited for. */
    private volatile OptionalLong since = OptionalLong.empty();

    void begin() {
        since = OptionalLong.of(System.nanoTime());
    }

    void end() {
        since = OptionalLong.empty();
    }

    /** Whether it has been waited for a write for so long. */
    boolean hasLasted(Duration limit) {
        OptionalLong begun = since;
        return begun.isPresent() && System.nanoTime() - begun.getAsLong() >= limit.toNanos();
    }
}
