package io.tidemark.chaos.load;

import io.tidemark.record.Bytes;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * What etcd has acknowledged, and when: the only state that a reader may rely on. Written by one
 * thread, read by all.
 */
public final class AcknowledgedWrites {
    /** Revisions whose time is kept; older ones are dropped: no client lags so far. */
    private static final int TIMES = 1 << 18;

    /**
     * One write.
     *
     * @param values key to the hash of what it holds now, null for a delete
     */
    public record Write(long revision, Map<Bytes, @Nullable Long> values) {}

    private final AtomicLong newest = new AtomicLong();
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLongArray times = new AtomicLongArray(TIMES * 2);
    private final ConcurrentLinkedQueue<Write> unchecked = new ConcurrentLinkedQueue<>();

    void add(Write write) {
        int slot = (int) (write.revision() % TIMES) * 2;
        times.set(slot + 1, System.nanoTime());
        times.set(slot, write.revision());
        unchecked.add(write);
        writes.incrementAndGet();
        newest.accumulateAndGet(write.revision(), Math::max);
    }

    void addFailed() {
        failed.incrementAndGet();
    }

    /** The newest revision that was acknowledged. */
    public long newest() {
        return newest.get();
    }

    public long writes() {
        return writes.get();
    }

    /** Writes without an answer; they may have happened. */
    public long failed() {
        return failed.get();
    }

    /**
     * From when a revision was acknowledged until {@code nanos}; 0 when it came before that, or
     * when that is unknown.
     */
    public long since(long revision, long nanos) {
        int slot = (int) (revision % TIMES) * 2;
        return times.get(slot) == revision ? Math.max(0, nanos - times.get(slot + 1)) : 0;
    }

    /** The first known acknowledged revision after another; 0 when there is none. */
    public long firstAfter(long revision) {
        long last = newest.get();
        for (long next = firstKnown(revision, last); next <= last; next++) {
            if (times.get((int) (next % TIMES) * 2) == next) {
                return next;
            }
        }
        return 0;
    }

    private static long firstKnown(long revision, long last) {
        long oldest = Math.max(0, last - TIMES + 1);
        return revision < oldest ? oldest : Math.min(revision, last) + 1;
    }

    /** The newest revision that was acknowledged so long ago; the oldest that is known if none. */
    public long newestOlderThan(long nanos) {
        long now = System.nanoTime();
        long oldest = 0;
        for (long next = newest.get(); next > Math.max(0, newest.get() - TIMES); next--) {
            if (times.get((int) (next % TIMES) * 2) == next) {
                oldest = next;
                if (since(next, now) >= nanos) {
                    return next;
                }
            }
        }
        return oldest;
    }

    /** The next write that was not yet checked against the truth; null when there is none. */
    public @Nullable Write nextUnchecked() {
        return unchecked.peek();
    }

    public void checked() {
        unchecked.poll();
    }
}
