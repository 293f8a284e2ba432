package io.tidemark.serving.watch;

import io.tidemark.serving.status.StatusException;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangePosition;
import io.tidemark.view.ObjectChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The recent events of a channel, and who waits for the next ones. Posting and joining exclude each
 * other, so a watch that joins at its cursor gets what lies between from the window and everything
 * else from its mailbox: no gap, nothing twice.
 */
final class EventDemux {
    /**
     * What joining came to.
     *
     * @param watcher the mailbox, which begins with what the watch has missed
     * @param throughRevision every event of the watch at or below it has been sent
     */
    record Joined(WatchMailbox watcher, long throughRevision) {}

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

    /** Also of the lines that are written while it stands there, so changed by any thread. */
    private final AtomicLong windowBytes = new AtomicLong();

    private long windowAfter;

    /** Where the pages that were posted end; inside a revision, nobody can join. */
    private ChangePosition position = ChangePosition.endOf(0);

    /** Groups that something of the open revision concerns, which are told when it is whole. */
    private final List<WatcherGroup> touched = new ArrayList<>();

    /**
     * The open revision if it is larger than the window, else 0: who wants it reads the history.
     */
    private long oversized;

    private long trimmedBytes;
    private int trimmedEvents;
    private long epoch = NO_EPOCH;
    private boolean closed;
    private volatile long through;

    /** What events in the window say of themselves. */
    private final EncodedEvent.Window kept =
            new EncodedEvent.Window() {
                @Override
                public void grew(long bytes) {
                    windowBytes.addAndGet(bytes);
                }

                @Override
                public void trim() {
                    trimIfAbove();
                }
            };

    EventDemux(WatchLimits limits, WindowBudget budget) {
        this.limits = limits;
        this.budget = budget;
    }

    /** Forgets everything and begins after a revision of a history. */
    void restart(long newEpoch, long afterRevision) {
        lock.lock();
        try {
            forgetWindow();
            forgetOpen();
            windowAfter = afterRevision;
            epoch = newEpoch;
            position = ChangePosition.endOf(afterRevision);
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

    /** Where the next page begins. */
    ChangePosition position() {
        lock.lock();
        try {
            return position;
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
     * @return empty when the window does not reach back so far, when a mailbox does not hold what
     *     was missed, when another history has begun, or when a revision has been posted in part
     */
    Optional<Joined> join(WatchFilter filter, long cursorEpoch, long afterRevision) {
        WatchMailbox watcher = new WatchMailbox(filter, limits);
        List<EncodedEvent> after;
        long joinedThrough;
        lock.lock();
        try {
            if (cursorEpoch != epoch || afterRevision < windowAfter || !position.isWhole()) {
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
        List<Batch> missed = missed(filter, after, joinedThrough);
        if (!watcher.prependMissed(missed)) {
            leave(watcher);
            return Optional.empty();
        }
        return Optional.of(new Joined(watcher, missed.isEmpty() ? joinedThrough : afterRevision));
    }

    /** One batch for each revision, so that they are taken one by one. */
    private static List<Batch> missed(
            WatchFilter filter, List<EncodedEvent> after, long throughRevision) {
        List<Batch> missed = new ArrayList<>();
        List<QueuedEvent> events = new ArrayList<>();
        long bytes = 0;
        for (EncodedEvent event : after) {
            Optional<Transition> transition =
                    filter.scope().contains(event.change().key())
                            ? filter.transition(event.change())
                            : Optional.empty();
            if (transition.isEmpty()) {
                continue;
            }
            if (!events.isEmpty() && events.getLast().revision() < event.revision()) {
                missed.add(new Batch(events, events.getLast().revision(), bytes));
                events = new ArrayList<>();
                bytes = 0;
            }
            events.add(new QueuedEvent(event, filter, transition.get()));
            bytes += event.bytes();
        }
        if (!events.isEmpty()) {
            missed.add(new Batch(events, throughRevision, bytes));
        }
        return missed;
    }

    void leave(WatchMailbox watcher) {
        lock.lock();
        try {
            index.remove(watcher);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the next page and hands out the revisions that are whole by now. A revision that comes
     * in several pages is kept until its last one, as long as it fits the window; whom a larger one
     * concerns reads on by itself.
     */
    void publish(ChangePage page) {
        lock.lock();
        try {
            addPending(page.completeRevisions());
            if (page.throughRevision() > through) {
                handOut(page.throughRevision());
            }
            addPending(page.partialRevision());
            position = page.through();
            if (!position.isWhole()) {
                trim();
                boolean fits = windowAfter < position.revision();
                oversized = fits ? 0 : position.revision();
                fallBackFromOversized();
            }
        } finally {
            lock.unlock();
        }
    }

    private void addPending(ChangePage part) {
        for (ObjectChange change : part.changes()) {
            EncodedEvent event = new EncodedEvent(change);
            index.addPending(event, touched);
            if (change.revision() == oversized) {
                fallBackFromOversized();
            } else {
                window.add(event);
                windowBytes.addAndGet(event.enter(kept));
            }
        }
    }

    private void handOut(long throughRevision) {
        for (WatcherGroup group : touched) {
            deliver(group, group.takePending(throughRevision));
        }
        touched.clear();
        oversized = 0;
        through = throughRevision;
        trim();
    }

    /** What was noted is all of the oversized revision: what came before has been handed out. */
    private void fallBackFromOversized() {
        if (oversized == 0) {
            return;
        }
        for (WatcherGroup group : touched) {
            group.dropPending();
            for (WatchMailbox watcher : List.copyOf(group.watchers())) {
                watcher.drop(); // The window is forgotten: what it holds would be its alone.
                index.remove(watcher);
            }
        }
        touched.clear();
        forgetWindow();
    }

    /** Ends every watch that has joined, and takes none until {@link #restart}. */
    void suspend(StatusException why) {
        lock.lock();
        try {
            epoch = NO_EPOCH;
            forgetWindow();
            forgetOpen();
            endAll(Optional.of(why));
        } finally {
            lock.unlock();
        }
    }

    /**
     * What comes next here is gone. Takes none until {@link #restart}, and every watch that has
     * joined reads on by itself: one may stand further than this does, where nothing is gone.
     */
    void fallBackAll() {
        lock.lock();
        try {
            epoch = NO_EPOCH;
            forgetWindow();
            forgetOpen();
            index.removeAll().forEach(WatchMailbox::fallBack);
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

    /** Bytes of all events in the window, with their lines. */
    long windowBytes() {
        return windowBytes.get();
    }

    private void forgetWindow() {
        window.forEach(event -> windowBytes.addAndGet(-event.leave()));
        window.clear();
    }

    /** Forgets what was noted of an open revision: it is read again, if this goes on. */
    private void forgetOpen() {
        touched.forEach(WatcherGroup::dropPending);
        touched.clear();
        oversized = 0;
        position = ChangePosition.endOf(through);
    }

    private void endAll(Optional<StatusException> why) {
        index.removeAll().forEach(watcher -> watcher.end(why));
    }

    private void deliver(WatcherGroup group, Batch batch) {
        List<WatchMailbox> overflowed = new ArrayList<>();
        for (WatchMailbox watcher : group.watchers()) {
            if (!watcher.deliver(batch)) {
                overflowed.add(watcher);
            }
        }
        overflowed.forEach(index::remove);
    }

    private void trimIfAbove() {
        if (windowBytes.get() <= budget.share()) {
            return;
        }
        lock.lock();
        try {
            trim();
        } finally {
            lock.unlock();
        }
    }

    private void trim() {
        long share = budget.share();
        while (window.size() > limits.windowEvents()
                || (windowBytes.get() > share && !window.isEmpty())) {
            EncodedEvent oldest = window.remove();
            long bytes = oldest.leave();
            windowBytes.addAndGet(-bytes);
            windowAfter = oldest.revision();
            trimmedBytes += bytes;
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
        for (WatchMailbox watcher : index.all()) {
            if (!watcher.dropIfOlderThan(windowAfter)) {
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
