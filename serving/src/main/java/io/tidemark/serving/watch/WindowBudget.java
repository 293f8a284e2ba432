package io.tidemark.serving.watch;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shares what windows may hold among the channels that are watched: however many partitions there
 * are, all windows together stay within it. For any thread.
 */
final class WindowBudget {
    private final long total;
    private final AtomicInteger channels = new AtomicInteger();

    WindowBudget(long total) {
        this.total = total;
    }

    /** One more channel is watched, until {@link #leave}. */
    void enter() {
        channels.incrementAndGet();
    }

    void leave() {
        channels.decrementAndGet();
    }

    /** In bytes, for each channel that is watched. It shrinks as others come. */
    long share() {
        return total / Math.max(1, channels.get());
    }
}
