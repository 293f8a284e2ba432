package io.tidemark.query.watch;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Schedules a watch's bookmarks: at an interval, and once shortly before its end, so that the
 * client resumes at a recent revision. Like the API server, it skips a bookmark that does not
 * advance beyond the start of the watch. {@link #eager} is for clients that follow the state. For
 * one thread.
 */
public final class BookmarkClock {
    /** The last bookmark is sent this long before the end. */
    private static final Duration BEFORE_END = Duration.ofSeconds(2);

    private final LongSupplier nanoClock;
    private final boolean wanted;
    private final long intervalNanos;
    private final long deadline;
    private final long last;
    private final long opened;
    private final boolean eager;
    private long begun;
    private long due;
    private long position;
    private long proven;

    /** Whether events were sent that only a bookmark will show to be complete. */
    private boolean unannounced;

    /**
     * @param nanoClock such as {@link System#nanoTime}
     * @param deadline when the watch ends, as of that clock
     * @param position the revision that the watch starts at
     * @param opened the newest revision at that time: events through it are history
     */
    public BookmarkClock(
            LongSupplier nanoClock,
            boolean wanted,
            Duration interval,
            long deadline,
            long position,
            long opened) {
        this(nanoClock, wanted, interval, deadline, position, opened, false);
    }

    private BookmarkClock(
            LongSupplier nanoClock,
            boolean wanted,
            Duration interval,
            long deadline,
            long position,
            long opened,
            boolean eager) {
        this.nanoClock = nanoClock;
        this.wanted = wanted;
        this.intervalNanos = interval.toNanos();
        this.deadline = deadline;
        this.last = deadline - BEFORE_END.toNanos();
        this.position = position;
        // No bookmark says that the start is reached before the node has come that far.
        this.begun = eager && position <= opened ? position - 1 : position;
        this.opened = opened;
        this.eager = eager;
        this.due = eager ? nanoClock.getAsLong() : wanted ? next() : deadline;
    }

    /**
     * Bookmarks as soon as the watch has caught up, after every batch of events, and at an
     * interval: what has arrived before a bookmark is known to be whole.
     */
    public static BookmarkClock eager(
            LongSupplier nanoClock, Duration interval, long deadline, long position, long opened) {
        return new BookmarkClock(nanoClock, true, interval, deadline, position, opened, true);
    }

    /** When to call {@link #due} next. */
    long wakeAt() {
        return due - deadline < 0 ? due : deadline;
    }

    /** Records that an event was sent. */
    void sent(long revision) {
        if (eager) {
            unannounced = true;
        } else if (revision <= opened) {
            begun = Math.max(begun, revision);
        }
    }

    /** Records that every event of the watch at or below a revision has been sent. */
    void reached(long revision) {
        proven = revision;
        position = Math.max(position, revision);
    }

    /** The revision that a bookmark would have. */
    long position() {
        return position;
    }

    /** Whether the time for a bookmark has come. */
    boolean isTime() {
        return unannounced || (due - deadline < 0 && nanoClock.getAsLong() - due >= 0);
    }

    /** Whether a bookmark is due now. A bookmark always advances the client's revision. */
    boolean due() {
        if (!isTime()) {
            return false;
        }
        if (hasProgressed()) {
            return true;
        }
        due = next();
        return false;
    }

    /** Whether the watch's time is over. */
    boolean isOver() {
        return deadline - nanoClock.getAsLong() <= 0;
    }

    /** Whether to send a bookmark when the watch ends early. */
    boolean dueAtEnd() {
        return wanted && hasProgressed();
    }

    /** Whether a bookmark would advance the client once the watch has reached a revision. */
    boolean wouldProgress(long revision) {
        return revision >= position && revision > begun;
    }

    private boolean hasProgressed() {
        return proven >= position && position > begun;
    }

    /** The revision for the bookmark that is due. */
    long take() {
        unannounced = false;
        due = next();
        return position;
    }

    private long next() {
        long now = nanoClock.getAsLong();
        if (now - last >= 0) {
            return deadline;
        }
        long regular = now + intervalNanos;
        return regular - last < 0 ? regular : last;
    }
}
