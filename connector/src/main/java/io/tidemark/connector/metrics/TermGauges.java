package io.tidemark.connector.metrics;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What the gauges show of one term: the time from when a connector begins to lead until it stops.
 * Late callbacks of a term that has ended write to an object that is not shown any more.
 * Thread-safe.
 */
public final class TermGauges {
    private final AtomicLong epoch = new AtomicLong();
    private final AtomicLong markedRevision = new AtomicLong();
    private final AtomicLong etcdRevision = new AtomicLong();
    private final AtomicLong unreadableKeys = new AtomicLong();

    /**
     * When the newest mark was acknowledged, in nanoseconds of the system's clock; null before the
     * first.
     */
    private volatile @Nullable Long markedNanos;

    TermGauges() {}

    /** Every partition has acknowledged this mark. */
    public void marked(long ofEpoch, long revision) {
        epoch.set(ofEpoch);
        markedRevision.set(revision);
        etcdRevision.accumulateAndGet(revision, Math::max);
        markedNanos = System.nanoTime();
    }

    /** etcd reported this revision as its newest. */
    public void etcdSeen(long revision) {
        etcdRevision.set(revision);
    }

    public void unreadableKeys(long count) {
        unreadableKeys.set(count);
    }

    long epoch() {
        return epoch.get();
    }

    public long markedRevision() {
        return markedRevision.get();
    }

    public long etcdRevision() {
        return etcdRevision.get();
    }

    public long unreadableKeys() {
        return unreadableKeys.get();
    }

    long lagRevisions() {
        return Math.max(0, etcdRevision() - markedRevision());
    }

    /** Time since the newest mark; NaN before the first. */
    double markAgeSeconds() {
        Long nanos = markedNanos;
        return nanos == null ? Double.NaN : (System.nanoTime() - nanos) / 1e9;
    }
}
