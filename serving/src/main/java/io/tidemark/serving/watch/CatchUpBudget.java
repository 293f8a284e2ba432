package io.tidemark.serving.watch;

import io.tidemark.serving.read.PageLimits;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what all watches together hold that read on by themselves. Such a watch holds a page of
 * each of its partitions for as long as its client takes to read it, for minutes if need be. So
 * nobody waits for anybody: the more is held, the smaller are the next pages, down to one change at
 * a time.
 */
final class CatchUpBudget {
    /** Nobody takes more than this part of what is left. */
    private static final int PART = 16;

    private static final int SMALLEST = 2 << 10;

    private final long total;
    private final PageLimits most;
    private final AtomicLong held = new AtomicLong();

    CatchUpBudget(long total, PageLimits most) {
        this.total = total;
        this.most = most;
    }

    /**
     * What a watch may take of each partition now. It gives back what it held before, and holds
     * this until its next.
     *
     * @param before what it has held until now; 0 for nothing
     */
    PageLimits reserve(long before, int partitions) {
        long left = total - held.addAndGet(-before);
        long bytes = Math.clamp(left / PART / partitions, SMALLEST, most.bytes());
        held.addAndGet(bytes * partitions);
        return new PageLimits(most.entries(), (int) bytes);
    }

    /**
     * A page came out larger than it was to be, as one revision is never cut.
     *
     * @param before what was taken for it
     * @return what the watch holds now
     */
    long adjust(long before, long actual) {
        long holds = Math.max(before, actual);
        held.addAndGet(holds - before);
        return holds;
    }

    void release(long before) {
        held.addAndGet(-before);
    }

    /** Bytes in all hands, at most. */
    long held() {
        return held.get();
    }
}
