package io.tidemark.chaos.client;

import io.tidemark.chaos.load.AcknowledgedWrites;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * How far back the history must reach: the nodes' configured history, but not across a gap that a
 * fault made on purpose. An ERROR 410 is justified only below it. For all threads.
 */
public final class RetentionHorizon {
    private final AcknowledgedWrites acknowledged;
    private final long windowNanos;
    private final Queue<Long> gone = new ConcurrentLinkedQueue<>();
    private volatile boolean inGap;
    private volatile long floor;

    /**
     * @param history that nodes keep; for what was rebuilt from the topic a tenth less, for clocks
     *     that differ
     */
    public RetentionHorizon(AcknowledgedWrites acknowledged, Duration history) {
        this.acknowledged = acknowledged;
        windowNanos = history.toNanos() / 10 * 9;
    }

    /** The history will begin at a new revision that is not known yet. */
    public void beginGap() {
        gone.clear();
        inGap = true;
    }

    /**
     * It begins at this revision.
     *
     * @return revisions that got a 410 although they are not before it
     */
    public List<Long> endGap(long newFloor) {
        floor = newFloor;
        inGap = false;
        return gone.stream().filter(revision -> revision >= newFloor).toList();
    }

    /** The oldest revision that every node has, and keeps for a while. */
    public long oldest() {
        return Math.max(acknowledged.newestOlderThan(windowNanos / 2), floor);
    }

    /** Whether the changes after a revision may be compacted by now. */
    public boolean mayBeCompacted(long revision) {
        long next = acknowledged.firstAfter(revision);
        long age = next == 0 ? 0 : acknowledged.since(next, System.nanoTime());
        if (inGap) {
            gone.add(revision);
            return true;
        }
        return revision < floor || age > windowNanos;
    }
}
