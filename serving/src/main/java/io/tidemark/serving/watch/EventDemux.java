package io.tidemark.serving.watch;

import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.event.EncodedEvent;
import io.tidemark.serving.watch.event.Transition;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ObjectChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Fans the events of one dispatcher out to the mailboxes of live watches and keeps a window of
 * recent ones. Publishing and joining exclude each other, so a watch that joins at its cursor gets
 * the missed events from the window and all later ones from its mailbox: no gap, no duplicate.
 */
final class EventDemux {
    /**
     * A live watch.
     *
     * @param watcher its mailbox, which begins with the events it has missed
     * @param throughRevision every event of the watch at or below it has been sent
     */
    record Joined(WatchMailbox watcher, long throughRevision) {}

    /** Between two histories: no watch can join. */
    private static final long NO_EPOCH = -1;

    /** Mailboxes are swept once this part of the window has been trimmed since the last sweep. */
    private static final int SWEEP_PART = 4;

    private final WatchLimits limits;
    private final WindowBudget budget;
    private final ReentrantLock lock = new ReentrantLock();

    // All guarded by lock; through is also read without it.
    private final WatcherIndex index = new WatcherIndex();
    private final Deque<EncodedEvent> window = new ArrayDeque<>();

    /** Includes lines that are encoded later, so any thread changes it. */
    private final AtomicLong windowBytes = new AtomicLong();

    private long windowAfter;

    /** End of the last published page; no watch can join inside a revision. */
    private ChangePosition position = ChangePosition.endOf(0);

    /** Groups with pending events of the open revision; they get them once it is complete. */
    private final List<WatcherGroup> touched = new ArrayList<>();

    /** The open revision if it is larger than the window, else 0. Watches it concerns catch up. */
    private long oversized;

    private long trimmedBytes;
    private int trimmedEvents;
    private long epoch = NO_EPOCH;
    private boolean closed;
    private volatile long through;

    /** Accounts for the growth of the events in the window. */
    private final EncodedEvent.Window accounting =
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

    /** Discards all state and starts after a revision of a history. */
    void restart(long newEpoch, long afterRevision) {
        lock.lock();
        try {
            clearWindow();
            dropOpenRevision();
            windowAfter = afterRevision;
            epoch = newEpoch;
            position = ChangePosition.endOf(afterRevision);
            through = afterRevision;
        } finally {
            lock.unlock();
        }
    }

    /** The history it publishes. */
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

    /** Whether it publishes nothing until {@link #restart}. */
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
     * Subscribes a watch to every later event.
     *
     * @param afterRevision the watch's cursor; may lie in the future
     * @return empty when the window does not reach back that far, when the missed events do not fit
     *     a mailbox, when another history has begun, or when a revision is published in part
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

    /** One batch per revision, so that the watch takes them one by one. */
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
     * Takes the next page and delivers the revisions it completes. A revision of several pages is
     * held back until its last one if it fits the window; the watches that a larger one concerns
     * catch up from the store.
     */
    void publish(ChangePage page) {
        lock.lock();
        try {
            addPending(page.completeRevisions());
            if (page.throughRevision() > through) {
                deliverThrough(page.throughRevision());
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
                windowBytes.addAndGet(event.enter(accounting));
            }
        }
    }

    private void deliverThrough(long throughRevision) {
        for (WatcherGroup group : touched) {
            deliver(group, group.takePending(throughRevision));
        }
        touched.clear();
        oversized = 0;
        through = throughRevision;
        trim();
    }

    /** All pending events belong to the oversized revision: earlier ones have been delivered. */
    private void fallBackFromOversized() {
        if (oversized == 0) {
            return;
        }
        for (WatcherGroup group : touched) {
            group.dropPending();
            for (WatchMailbox watcher : List.copyOf(group.watchers())) {
                watcher.drop(); // The window is cleared, so the mailbox would be the only holder.
                index.remove(watcher);
            }
        }
        touched.clear();
        clearWindow();
    }

    /** Ends every joined watch with an error; no watch can join until {@link #restart}. */
    void suspend(StatusException why) {
        lock.lock();
        try {
            epoch = NO_EPOCH;
            clearWindow();
            dropOpenRevision();
            endAll(Optional.of(why));
        } finally {
            lock.unlock();
        }
    }

    /**
     * The changes after its position are compacted. No watch can join until {@link #restart}; the
     * joined ones catch up by their own cursors, which may lie above the floor.
     */
    void fallBackAll() {
        lock.lock();
        try {
            epoch = NO_EPOCH;
            clearWindow();
            dropOpenRevision();
            index.removeAll().forEach(WatchMailbox::fallBack);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends every watch cleanly, also those that join later. None gets a part of an open revision,
     * the rest of which is published after this.
     */
    void close() {
        lock.lock();
        try {
            closed = true;
            dropPending();
            endAll(Optional.empty());
        } finally {
            lock.unlock();
        }
    }

    /** Bytes of all events in the window, with their lines. */
    long windowBytes() {
        return windowBytes.get();
    }

    private void clearWindow() {
        window.forEach(event -> windowBytes.addAndGet(-event.leave()));
        window.clear();
    }

    /** Drops the pending events of an open revision; a later dispatch reads it again. */
    private void dropOpenRevision() {
        dropPending();
        oversized = 0;
        position = ChangePosition.endOf(through);
    }

    private void dropPending() {
        touched.forEach(WatcherGroup::dropPending);
        touched.clear();
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
        if (trimmedBytes > share / SWEEP_PART
                || trimmedEvents > limits.windowEvents() / SWEEP_PART) {
            trimmedBytes = 0;
            trimmedEvents = 0;
            sweep();
        }
    }

    /**
     * Drops mailboxes that hold events which the window has trimmed: their watches are too slow.
     */
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
