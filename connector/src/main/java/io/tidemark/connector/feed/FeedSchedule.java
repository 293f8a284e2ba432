package io.tidemark.connector.feed;

import java.time.Duration;

/**
 * Decides when to commit and when to request progress, while the feed follows a watch. Pure: time,
 * in nanoseconds of one clock, and events are passed in.
 *
 * <p>A commit delays the next write a little, so it waits for a quiet moment; but read-committed
 * consumers see nothing before it, so it does not wait long.
 */
public final class FeedSchedule {
    public static final Duration MAX_COMMIT_DELAY = Duration.ofSeconds(5);

    /** A quiet moment: no change for this long. */
    private static final long QUIET = Duration.ofMillis(30).toNanos();

    /** Shortest interval between commits, in quiet moments as well. */
    private static final long MIN_COMMIT_INTERVAL = Duration.ofSeconds(1).toNanos();

    /**
     * Interval between marks, each of which costs every partition and all its replicas a record:
     * changes that arrive too soon after a mark wait for more. In proportion to the rate of
     * changes, within these limits.
     */
    private static final long MIN_MARK_INTERVAL = Duration.ofMillis(5).toNanos();

    private static final long MAX_MARK_INTERVAL = Duration.ofMillis(10).toNanos();

    /** Changes per nanosecond at and above which marks have their longest interval. */
    private static final double BUSY = 2_000e-9;

    /** How far a few marks may be ahead of their interval, so that quiet changes never wait. */
    private static final long MARK_BURST = Duration.ofMillis(20).toNanos();

    private static final long MIN_MARK_GAP = Duration.ofMillis(2).toNanos();

    private static final long HEARTBEAT = Duration.ofSeconds(1).toNanos();
    private static final long ASK_INTERVAL = Duration.ofMillis(100).toNanos();

    /** A watch that supports progress requests answers sooner, if it answers. */
    private static final long PROGRESS_OVERDUE = Duration.ofSeconds(2).toNanos();

    /**
     * A watch that stays silent for this long, with progress requested all the time, is dead if
     * etcd moves on. Several times what etcd takes for a part of a revision of very many keys
     * (decision 0052); HTTP/2 pings detect a dead connection.
     */
    private static final long MAX_SILENCE = Duration.ofSeconds(60).toNanos();

    private final long maxCommitDelay;
    private long committedAt;
    private long openSince;
    private boolean open;
    private boolean changesOpen;
    private long changedAt;
    private long markedAt;
    private boolean hasMarked;

    /** When the next mark is due by their interval; in the past after a quiet time. */
    private long nextMark;

    /** Changes since the last mark; after a batch, those of a revision that is not complete. */
    private int unmarked;

    private long askedAt;
    private long idleCheckedAt;
    private long respondedAt;

    /** The feed begins to follow. */
    public FeedSchedule(long now) {
        this(now, MAX_COMMIT_DELAY);
    }

    /**
     * @param maxCommitDelay how long written records may wait for their commit
     */
    public FeedSchedule(long now, Duration maxCommitDelay) {
        this.maxCommitDelay = maxCommitDelay.toNanos();
        committedAt = now;
        changedAt = now;
        markedAt = now;
        nextMark = now;
        respondedAt = now;
        askedAt = now - ASK_INTERVAL;
        idleCheckedAt = now - ASK_INTERVAL;
    }

    /**
     * Changes were written.
     *
     * @param count how many
     */
    public void changed(long now, int count) {
        unmarked += count;
        changedAt = now;
        changesOpen = true;
        wrote(now);
    }

    public void marked(long now) {
        double rate = unmarked / (double) Math.max(1, now - markedAt);
        long interval =
                Math.clamp(
                        (long) (MAX_MARK_INTERVAL * (rate / BUSY)),
                        MIN_MARK_INTERVAL,
                        MAX_MARK_INTERVAL);
        nextMark = Math.max(nextMark, now - MARK_BURST) + interval;
        unmarked = 0;
        markedAt = now;
        hasMarked = true;
        wrote(now);
    }

    /** A transaction began, in which nothing new was written. */
    public void begun(long now) {
        wrote(now);
    }

    private void wrote(long now) {
        if (!open) {
            open = true;
            openSince = now;
        }
    }

    public void committed(long now) {
        open = false;
        changesOpen = false;
        committedAt = now;
    }

    public void asked(long now) {
        askedAt = now;
    }

    /** etcd was asked whether it is idle. */
    public void idleChecked(long now) {
        idleCheckedAt = now;
    }

    /** The watch delivered a signal, or was proven to have nothing to send. */
    public void watchResponded(long now) {
        respondedAt = now;
    }

    /** Time spent on something else does not count as silence of the watch. */
    public void excludeTime(long nanos) {
        respondedAt += nanos;
    }

    /** Never inside a revision, which would be repeated after a takeover. */
    public boolean commitDue(long now) {
        if (!open || unmarked > 0) {
            return false;
        }
        boolean quiet = now - changedAt >= QUIET && now - committedAt >= MIN_COMMIT_INTERVAL;
        return now - openSince >= maxCommitDelay || (changesOpen && quiet);
    }

    /**
     * @param awaited whether a caller waits for a mark that has not been written yet
     */
    public boolean progressDue(long now, boolean awaited) {
        return now - askedAt >= ASK_INTERVAL && (awaited || now - markedAt >= HEARTBEAT);
    }

    /** How long arrived changes may wait for more, to share a mark. */
    public Duration batchDelay(long now) {
        return Duration.ofNanos(Math.max(0, Math.max(nextMark, markedAt + MIN_MARK_GAP) - now));
    }

    /**
     * Whether progress at the last mark's revision is worth a mark: after a heartbeat interval, and
     * at once when the feed begins, as replicas and clients wait to hear that it follows.
     */
    public boolean isHeartbeatDue(long now) {
        return !hasMarked || idle(now);
    }

    /** Whether nothing was written for a heartbeat interval. */
    public boolean idle(long now) {
        return now - markedAt >= HEARTBEAT;
    }

    /**
     * Whether nothing was written for so long that a watch which has caught up would have sent
     * progress. Never inside a revision: its mark comes next.
     *
     * @param onRequest whether etcd supports progress requests
     */
    public boolean isProgressOverdue(long now, boolean onRequest) {
        return unmarked == 0 && idle(now) && (!onRequest || now - markedAt >= PROGRESS_OVERDUE);
    }

    /** Whether to ask etcd again whether it is idle. */
    public boolean idleCheckDue(long now) {
        return now - idleCheckedAt >= ASK_INTERVAL;
    }

    public boolean isWatchDead(long now) {
        return now - respondedAt >= MAX_SILENCE;
    }

    /** Longest time to poll the watch before an action here may be due. */
    public Duration pollTimeout() {
        return Duration.ofNanos(changesOpen ? QUIET : ASK_INTERVAL);
    }
}
