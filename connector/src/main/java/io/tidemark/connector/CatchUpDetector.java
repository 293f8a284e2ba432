package io.tidemark.connector;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the feed may lag far behind etcd although the watch has nothing to read right
 * now. That is the case when a watch starts, and whenever the topic, or a stalled process, has kept
 * the feed from reading for a while: etcd moved on and its events are still on their way. The lag
 * is over once the feed has read through etcd's newest revision, asked for afterwards; if that took
 * long, etcd has moved on again and is asked once more. All times are passed in, in nanoseconds of
 * one clock. Thread-safe.
 */
final class CatchUpDetector {
    /**
     * A feed that could not read for longer than this may lag; a lag up to this long goes
     * unnoticed.
     */
    static final long STALL_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long PROBE_INTERVAL_NANOS = Duration.ofMillis(200).toNanos();

    /**
     * @param askedNanos when etcd was asked, before the call
     */
    private record Newest(long revision, long askedNanos) {}

    private boolean behind = true;

    /** Since when the feed may lag. */
    private long sinceNanos;

    private long readNanos;
    private long askNanos;
    private boolean asking;
    private @Nullable Newest newest;

    /** A watch starts. */
    CatchUpDetector(long now) {
        begin(now);
    }

    private void begin(long now) {
        behind = true;
        sinceNanos = now;
        readNanos = now;
        askNanos = now;
        newest = null;
    }

    /** The feed is about to read; a read blocks for moments only. */
    synchronized void beforePoll(long now) {
        if (now - readNanos > STALL_NANOS) {
            begin(now);
        }
        readNanos = now;
    }

    /** The feed has read, and everything through {@code revision} is complete. */
    synchronized void afterPoll(long now, long revision) {
        if (now - readNanos > STALL_NANOS) {
            begin(now);
        }
        readNanos = now;
        Newest goal = newest;
        if (goal != null && revision >= goal.revision()) {
            behind = now - goal.askedNanos() > STALL_NANOS;
            newest = null;
        }
    }

    /** Whether etcd should be asked now; {@link #answered} or {@link #failed} must follow. */
    synchronized boolean shouldProbe(long now) {
        if (!behind || asking || newest != null || now - askNanos < 0) {
            return false;
        }
        asking = true;
        askNanos = now + PROBE_INTERVAL_NANOS;
        return true;
    }

    /** etcd answered with its newest revision. */
    synchronized void answered(long revision, long askedNanos) {
        asking = false;
        if (behind && askedNanos - sinceNanos >= 0) {
            newest = new Newest(revision, askedNanos);
        }
    }

    synchronized void failed() {
        asking = false;
    }

    synchronized boolean isBehind() {
        return behind;
    }
}
