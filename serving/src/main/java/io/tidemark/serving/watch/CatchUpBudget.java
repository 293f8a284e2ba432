package io.tidemark.serving.watch;

import io.tidemark.serving.read.PageLimits;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory of all watches that are catching up. Such a watch holds a page of each of its
 * partitions for as long as its client takes to read it, minutes if need be. No watch waits for
 * another one's memory: the more is held, the smaller the next pages are, down to one change at a
 * time.
 */
final class CatchUpBudget {
    /** A watch reserves at most this part of what is left. */
    private static final int PAGE_PART = 16;

    private static final int SMALLEST = 2 << 10;

    private final long total;
    private final PageLimits most;
    private final AtomicLong held = new AtomicLong();

    CatchUpBudget(long total, PageLimits most) {
        this.total = total;
        this.most = most;
    }

    /**
     * Replaces what a watch held by a new reservation: the page size per partition.
     *
     * @param before bytes it has held until now; 0 for none
     */
    PageLimits reserve(long before, int partitions) {
        long left = total - held.addAndGet(-before);
        long bytes = Math.clamp(left / PAGE_PART / partitions, SMALLEST, most.bytes());
        held.addAndGet(bytes * partitions);
        return new PageLimits(most.entries(), (int) bytes);
    }

    /**
     * Corrects a reservation for a page that came out larger: one change is never cut.
     *
     * @param before bytes that were reserved for it
     * @return bytes the watch holds now
     */
    long adjust(long before, long actual) {
        long holds = Math.max(before, actual);
        held.addAndGet(holds - before);
        return holds;
    }

    void release(long before) {
        held.addAndGet(-before);
    }

    /** Upper bound of the bytes held by all watches. */
    long held() {
        return held.get();
    }
}
