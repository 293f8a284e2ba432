package io.tidemark.connector;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether what is read of a watch may be far behind etcd, although nothing is left to be read now.
 * So it is where a watch begins, and whenever the topic, or a process that stood still, has kept
 * the feed from reading for a while: etcd went on, and what it said meanwhile is on its way. It is
 * over once etcd's newest revision, asked for after that, has been read; if that took long, etcd
 * has gone on again, and is asked once more. It is told the time, in nanoseconds of one clock. For
 * any thread.
 */
final class CatchUpDetector {
    /** Kept from reading for longer, a feed may have a backlog; one may last so long unnoticed. */
    static final long LONG_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long ASK_AGAIN_NANOS = Duration.ofMillis(200).toNanos();

    /**
     * @param askedNanos before etcd was asked
     */
    private record Newest(long revision, long askedNanos) {}

    private boolean there = true;

    /** Since when there may be one. */
    private long sinceNanos;

    private long readNanos;
    private long askNanos;
    private boolean asking;
    private @Nullable Newest newest;

    /** A watch begins. */
    CatchUpDetector(long now) {
        begin(now);
    }

    private void begin(long now) {
        there = true;
        sinceNanos = now;
        readNanos = now;
        askNanos = now;
        newest = null;
    }

    /** The feed is about to read, which it does for moments only. */
    synchronized void beforePoll(long now) {
        if (now - readNanos > LONG_NANOS) {
            begin(now);
        }
        readNanos = now;
    }

    /** The feed has read, and everything through {@code revision} is complete. */
    synchronized void afterPoll(long now, long revision) {
        if (now - readNanos > LONG_NANOS) {
            begin(now);
        }
        readNanos = now;
        Newest goal = newest;
        if (goal != null && revision >= goal.revision()) {
            there = now - goal.askedNanos() > LONG_NANOS;
            newest = null;
        }
    }

    /** Whether etcd is to be asked now; {@link #answered} or {@link #failed} has to follow. */
    synchronized boolean shouldProbe(long now) {
        if (!there || asking || newest != null || now - askNanos < 0) {
            return false;
        }
        asking = true;
        askNanos = now + ASK_AGAIN_NANOS;
        return true;
    }

    /** etcd's newest revision. */
    synchronized void answered(long revision, long askedNanos) {
        asking = false;
        if (there && askedNanos - sinceNanos >= 0) {
            newest = new Newest(revision, askedNanos);
        }
    }

    synchronized void failed() {
        asking = false;
    }

    synchronized boolean isBehind() {
        return there;
    }
}
