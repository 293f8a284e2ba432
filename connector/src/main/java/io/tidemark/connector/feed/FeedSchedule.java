package io.tidemark.connector.feed;

import java.time.Duration;

/**
 * When to commit and when to ask for progress, while following. Pure: it is told the time, in
 * nanoseconds of one clock, and what happened.
 *
 * <p>A commit pauses the next write a little, so it waits for a quiet moment; but outside consumers
 * see nothing before it, so it does not wait long.
 */
public final class FeedSchedule {
    private static final long COMMIT_EVERY = Duration.ofSeconds(5).toNanos();

    /** No change for this long is a quiet moment. */
    private static final long QUIET = Duration.ofMillis(30).toNanos();

    /** In quiet moments as well, commits are not closer than this. */
    private static final long COMMIT_APART = Duration.ofSeconds(1).toNanos();

    /**
     * Marks, which cost every partition and all its copies a record, are not closer than this: what
     * comes sooner after one waits for company.
     */
    private static final long MARKS_APART = Duration.ofMillis(10).toNanos();

    private static final long HEARTBEAT = Duration.ofSeconds(1).toNanos();
    private static final long ASK_AGAIN = Duration.ofMillis(100).toNanos();

    /** A watch that can be asked for progress answers sooner, if it answers. */
    private static final long UNANSWERED = Duration.ofSeconds(2).toNanos();

    /**
     * A watch whose progress was asked for all this time and that says nothing is dead, if etcd
     * goes on. Several times what etcd takes for a part of a revision of very many keys (decision
     * 0052); that the connection is alive is seen to by HTTP/2 itself.
     */
    private static final long SILENT = Duration.ofSeconds(60).toNanos();

    private long committedAt;
    private long openSince;
    private boolean open;
    private boolean changesOpen;
    private long changedAt;
    private long markedAt;
    private long askedAt;
    private long quietCheckedAt;
    private long heardAt;

    /** Following begins. */
    public FeedSchedule(long now) {
        committedAt = now;
        changedAt = now;
        markedAt = now;
        heardAt = now;
        askedAt = now - ASK_AGAIN;
        quietCheckedAt = now - ASK_AGAIN;
    }

    public void changed(long now) {
        changedAt = now;
        changesOpen = true;
        wrote(now);
    }

    public void marked(long now) {
        markedAt = now;
        wrote(now);
    }

    /** A transaction is open in which nothing new was written. */
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

    /** etcd is asked whether it stands still. */
    public void idleChecked(long now) {
        quietCheckedAt = now;
    }

    /** The watch gave a sign of life, or was proven to have nothing to send. */
    public void watchResponded(long now) {
        heardAt = now;
    }

    /** So much time was spent on something else: it counts for no silence of the watch. */
    public void excludeTime(long nanos) {
        heardAt += nanos;
    }

    public boolean commitDue(long now) {
        if (!open) {
            return false;
        }
        boolean quiet = now - changedAt >= QUIET && now - committedAt >= COMMIT_APART;
        return now - openSince >= COMMIT_EVERY || (changesOpen && quiet);
    }

    /**
     * @param awaited whether somebody waits for a mark that has not been written yet
     */
    public boolean progressDue(long now, boolean awaited) {
        return now - askedAt >= ASK_AGAIN && (awaited || now - markedAt >= HEARTBEAT);
    }

    /** How long changes that are there may wait for more, to share a mark with them. */
    public Duration batchDelay(long now) {
        return Duration.ofNanos(Math.max(0, markedAt + MARKS_APART - now));
    }

    /** Whether nothing was written for as long as a heartbeat. */
    public boolean idle(long now) {
        return now - markedAt >= HEARTBEAT;
    }

    /**
     * Whether nothing was written for so long that a watch which is in step would have sent
     * progress.
     *
     * @param asks whether it can be asked for progress
     */
    public boolean isProgressOverdue(long now, boolean asks) {
        return idle(now) && (!asks || now - markedAt >= UNANSWERED);
    }

    /** Whether it is time to ask etcd again whether it stands still. */
    public boolean idleCheckDue(long now) {
        return now - quietCheckedAt >= ASK_AGAIN;
    }

    public boolean isWatchDead(long now) {
        return now - heardAt >= SILENT;
    }

    /** How long to wait for the watch at most, before something here may be due. */
    public Duration pollTimeout() {
        return Duration.ofNanos(changesOpen ? QUIET : ASK_AGAIN);
    }
}
