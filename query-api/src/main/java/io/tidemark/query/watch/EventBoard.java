package io.tidemark.query.watch;

import io.tidemark.query.status.StatusException;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ObjectChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The recent events of a channel, and who waits for the next ones. Posting and joining exclude each
 * other, so a watch that joins at its cursor gets what lies between from the window and everything
 * else from its mailbox: no gap, nothing twice.
 */
final class EventBoard {
    /** What joining came to: the mailbox, and what is to be sent before anything in it. */
    record Joined(Watcher watcher, List<Delivery> missed, long throughRevision) {}

    /** Between two histories: nobody can join. */
    private static final long NO_EPOCH = -1;

    /** Mailboxes are looked through when so much of the window has gone since the last time. */
    private static final int PART = 4;

    private final WatchLimits limits;
    private final WindowBudget budget;
    private final ReentrantLock lock = new ReentrantLock();

    // All guarded by lock; through is also read without it.
    private final WatcherIndex index = new WatcherIndex();
    private final Deque<EncodedEvent> window = new ArrayDeque<>();
    private long windowBytes;
    private long windowAfter;
    private long trimmedBytes;
    private int trimmedEvents;
    private long epoch = NO_EPOCH;
    private boolean closed;
    private volatile long through;

    EventBoard(WatchLimits limits, WindowBudget budget) {
        this.limits = limits;
        this.budget = budget;
    }

    /** Forgets everything and begins after a revision of a history. */
    void restart(long newEpoch, long afterRevision) {
        lock.lock();
        try {
            forgetWindow();
            windowAfter = afterRevision;
            epoch = newEpoch;
            through = afterRevision;
        } finally {
            lock.unlock();
        }
    }

    /** The history it hands out. */
    long epoch() {
        lock.lock();
        try {
            return epoch;
        } finally {
            lock.unlock();
        }
    }

    /** Whether it stands between two histories and waits for {@link #restart}. */
    boolean suspended() {
        return epoch() == NO_EPOCH;
    }

    /**
     * Every event at or below it is in the mailboxes: a watch that reads this and then finds its
     * mailbox empty has seen all of them.
     */
    long through() {
        return through;
    }

    /**
     * Joins those who get every event as it comes.
     *
     * @param afterRevision where the watch stands; may lie in the future
     * @return empty when the window does not reach back so far, or another history has begun
     */
    Optional<Joined> join(Interest interest, long cursorEpoch, long afterRevision) {
        Watcher watcher = new Watcher(interest, limits);
        List<EncodedEvent> after;
        long joinedThrough;
        lock.lock();
        try {
            if (cursorEpoch != epoch || afterRevision < windowAfter) {
                return Optional.empty();
            }
            after = windowAfter(afterRevision);
            joinedThrough = through;
            index.add(watcher);
            if (closed) {
                watcher.end(Optional.empty());
            }
        } finally {
            lock.unlock();
        }
        List<Delivery> missed = new ArrayList<>();
        for (EncodedEvent event : after) {
            if (interest.scope().contains(event.change().key())) {
                interest.transition(event.change())
                        .ifPresent(transition -> missed.add(new Delivery(event, transition)));
            }
        }
        return Optional.of(new Joined(watcher, missed, joinedThrough));
    }

    void leave(Watcher watcher) {
        lock.lock();
        try {
            index.remove(watcher);
        } finally {
            lock.unlock();
        }
    }

    /** Hands out a page of whole revisions. */
    void post(ChangePage page) {
        lock.lock();
        try {
            List<WatcherGroup> touched = new ArrayList<>();
            for (ObjectChange change : page.changes()) {
                EncodedEvent event = new EncodedEvent(change);
                window.add(event);
                windowBytes += event.bytes();
                index.note(event, touched);
            }
            for (WatcherGroup group : touched) {
                deliver(group, group.takePending(page.throughRevision()));
            }
            through = page.throughRevision();
            trim();
        } finally {
            lock.unlock();
        }
    }

    /** Ends every watch that has joined, and takes none until {@link #restart}. */
    void suspend(StatusException why) {
        lock.lock();
        try {
            epoch = NO_EPOCH;
            forgetWindow();
            endAll(Optional.of(why));
        } finally {
            lock.unlock();
        }
    }

    /**
     * What comes next here is gone. Takes none until {@link #restart}, and every watch that has
     * joined reads on by itself: one may stand further than this does, where nothing is gone.
     */
    void lose() {
        lock.lock();
        try {
            epoch = NO_EPOCH;
            forgetWindow();
            index.removeAll().forEach(Watcher::fallBack);
        } finally {
            lock.unlock();
        }
    }

    /** Ends every watch cleanly, also those that still join. */
    void close() {
        lock.lock();
        try {
            closed = true;
            endAll(Optional.empty());
        } finally {
            lock.unlock();
        }
    }

    private void forgetWindow() {
        window.clear();
        windowBytes = 0;
    }

    private void endAll(Optional<StatusException> why) {
        index.removeAll().forEach(watcher -> watcher.end(why));
    }

    private void deliver(WatcherGroup group, Batch batch) {
        List<Watcher> overflowed = new ArrayList<>();
        for (Watcher watcher : group.watchers()) {
            if (!watcher.deliver(batch)) {
                overflowed.add(watcher);
            }
        }
        overflowed.forEach(index::remove);
    }

    private void trim() {
        long share = budget.share();
        while (window.size() > limits.windowEvents() || windowBytes > share) {
            EncodedEvent oldest = window.remove();
            windowBytes -= oldest.bytes();
            windowAfter = oldest.revision();
            trimmedBytes += oldest.bytes();
            trimmedEvents++;
        }
        if (trimmedBytes > share / PART || trimmedEvents > limits.windowEvents() / PART) {
            trimmedBytes = 0;
            trimmedEvents = 0;
            sweep();
        }
    }

    /** Mailboxes whose owners do not come are emptied of what the window has let go. */
    private void sweep() {
        for (Watcher watcher : index.all()) {
            if (!watcher.holdsOnlyAfter(windowAfter)) {
                index.remove(watcher);
            }
        }
    }

    private List<EncodedEvent> windowAfter(long revision) {
        List<EncodedEvent> newestFirst = new ArrayList<>();
        Iterator<EncodedEvent> events = window.descendingIterator();
        while (events.hasNext()) {
            EncodedEvent event = events.next();
            if (event.revision() <= revision) {
                break;
            }
            newestFirst.add(event);
        }
        return newestFirst.reversed();
    }
}
