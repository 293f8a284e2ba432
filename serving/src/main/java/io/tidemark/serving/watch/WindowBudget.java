package io.tidemark.serving.watch;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Divides the windows' memory among the active dispatchers: all windows together stay within it,
 * however many partitions there are. Thread-safe.
 */
final class WindowBudget {
    private final long total;
    private final AtomicInteger dispatchers = new AtomicInteger();

    WindowBudget(long total) {
        this.total = total;
    }

    /** Counts one more active dispatcher until {@link #leave}. */
    void enter() {
        dispatchers.incrementAndGet();
    }

    void leave() {
        dispatchers.decrementAndGet();
    }

    /** Bytes for each active dispatcher; shrinks as others start. */
    long share() {
        return total / Math.max(1, dispatchers.get());
    }
}
