package io.tidemark.query.http;

import java.time.Duration;

/**
 * When a watch gets bookmarks: every so often, and once shortly before its end, so that the client
 * comes back at a recent revision. One that tells no more than what the watch began with is left
 * out, as the API server does. For one thread.
 */
final class BookmarkClock {
    /** So long before the end the last one is sent. */
    private static final Duration BEFORE_END = Duration.ofSeconds(2);

    private final boolean wanted;
    private final long intervalNanos;
    private final long deadline;
    private final long last;
    private final long opened;
    private long begun;
    private long due;
    private long position;
    private long proven;

    /**
     * @param deadline as of {@link System#nanoTime}
     * @param position the revision that the watch began at
     * @param opened the newest revision that there was then: events up to it are history
     */
    BookmarkClock(boolean wanted, Duration interval, long deadline, long position, long opened) {
        this.wanted = wanted;
        this.intervalNanos = interval.toNanos();
        this.deadline = deadline;
        this.last = deadline - BEFORE_END.toNanos();
        this.position = position;
        this.begun = position;
        this.opened = opened;
        this.due = wanted ? next() : deadline;
    }

    /** Until when there is nothing to do for the clock's sake. */
    long wakeAt() {
        return due - deadline < 0 ? due : deadline;
    }

    /** An event is sent. */
    void sent(long revision) {
        if (revision <= opened) {
            begun = Math.max(begun, revision);
        }
    }

    /** Every event of the watch at or below a revision has been sent. */
    void reached(long revision) {
        proven = revision;
        position = Math.max(position, revision);
    }

    /** Whether one is to be sent now. None tells a client to go back, or to stay. */
    boolean due() {
        long now = System.nanoTime();
        if (due - deadline >= 0 || now - due < 0) {
            return false;
        }
        if (hasProgressed()) {
            return true;
        }
        due = next();
        return false;
    }

    /** Whether one is to be sent when the watch ends before its time. */
    boolean dueAtEnd() {
        return wanted && hasProgressed();
    }

    private boolean hasProgressed() {
        return proven >= position && position > begun;
    }

    /** The revision for the bookmark that is due. */
    long take() {
        due = next();
        return position;
    }

    private long next() {
        long now = System.nanoTime();
        if (now - last >= 0) {
            return deadline;
        }
        long regular = now + intervalNanos;
        return regular - last < 0 ? regular : last;
    }
}
