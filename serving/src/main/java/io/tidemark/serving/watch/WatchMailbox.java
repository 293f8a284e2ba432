package io.tidemark.serving.watch;

import io.tidemark.serving.status.StatusException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The mailbox of a live watch. It holds references to shared events up to a limit. When events come
 * faster than the watch takes them it drops all of them and reports the overflow: the watch reads
 * them again from its cursor.
 */
final class WatchMailbox {
    /** What a watch takes from its mailbox. */
    sealed interface Mail {
        /** In order; empty when nothing came within the time. */
        record Batches(List<Batch> batches) implements Mail {}

        /** The mailbox overflowed or gets no more events: the watch catches up from the store. */
        record Overflowed() implements Mail {}

        /**
         * No more will come.
         *
         * @param why empty for a clean end
         */
        record Ended(Optional<StatusException> why) implements Mail {}
    }

    /** A take stops above this many bytes; it returns at least one batch. */
    private static final long TAKEN_BYTES = 256 << 10;

    private final WatchFilter filter;
    private final WatchLimits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition somethingCame = lock.newCondition();

    // All guarded by lock.
    private final Deque<Batch> mailbox = new ArrayDeque<>();
    private int events;
    private long bytes;
    private boolean overflowed;
    private boolean woken;

    /** Runs after each change of what {@link #take} returns. */
    private volatile Runnable arrival = () -> {};

    /** Returned once the mailbox is empty. */
    private Optional<Mail> last = Optional.empty();

    WatchMailbox(WatchFilter filter, WatchLimits limits) {
        this.filter = filter;
        this.limits = limits;
    }

    WatchFilter filter() {
        return filter;
    }

    /**
     * Runs a task now, and from now on whenever something came, on the thread that brought it.
     *
     * @param task must be quick; this mailbox is not locked
     */
    void onArrival(Runnable task) {
        arrival = task;
        task.run();
    }

    /**
     * Prepends the events that a watch missed before it joined.
     *
     * @return false when they do not fit: the watch has to catch up from the store
     */
    boolean prependMissed(List<Batch> missed) {
        lock.lock();
        try {
            for (Batch batch : missed.reversed()) {
                events += batch.events().size();
                bytes += batch.bytes();
                mailbox.addFirst(batch);
            }
            return !overflowed && fits();
        } finally {
            lock.unlock();
        }
    }

    private boolean fits() {
        return events <= limits.mailboxEvents() && bytes <= limits.mailboxBytes();
    }

    /**
     * @return false when it did not fit, and this mailbox takes no more
     */
    boolean deliver(Batch batch) {
        boolean takesMore;
        lock.lock();
        try {
            events += batch.events().size();
            bytes += batch.bytes();
            if (fits()) {
                mailbox.add(batch);
                somethingCame.signal();
            } else {
                overflow();
            }
            takesMore = !overflowed;
        } finally {
            lock.unlock();
        }
        arrival.run();
        return takesMore;
    }

    /**
     * Drops all batches, as {@link #deliver} does, if the oldest event is at or below a revision
     * that the window has trimmed: this mailbox would be its only holder.
     *
     * @return false when it did, and this mailbox takes no more
     */
    boolean dropIfOlderThan(long revision) {
        lock.lock();
        try {
            Batch oldest = mailbox.peek();
            if (oldest == null || oldest.events().getFirst().revision() > revision) {
                return !overflowed;
            }
            overflow();
        } finally {
            lock.unlock();
        }
        arrival.run();
        return false;
    }

    /** Drops all batches and takes no more: the watch catches up from the store. */
    void drop() {
        lock.lock();
        try {
            overflow();
        } finally {
            lock.unlock();
        }
        arrival.run();
    }

    private void overflow() {
        overflowed = true;
        mailbox.clear();
        somethingCame.signal();
    }

    void end(Optional<StatusException> why) {
        last(new Mail.Ended(why));
    }

    /** Takes no more; once it is empty, the watch catches up from the store. */
    void fallBack() {
        last(new Mail.Overflowed());
    }

    private void last(Mail mail) {
        lock.lock();
        try {
            last = Optional.of(mail);
            somethingCame.signal();
        } finally {
            lock.unlock();
        }
        arrival.run();
    }

    /** From now on {@link #take} does not wait. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            somethingCame.signal();
        } finally {
            lock.unlock();
        }
        arrival.run();
    }

    /**
     * Takes batches, up to a bound; waits while there are none.
     *
     * @param nanos longest wait; none when it is not positive
     */
    Mail take(long nanos) throws InterruptedException {
        long left = nanos;
        lock.lockInterruptibly();
        try {
            while (true) {
                Optional<Mail> mail = now();
                if (mail.isPresent()) {
                    return mail.get();
                }
                if (left <= 0 || woken) {
                    return new Mail.Batches(List.of());
                }
                left = somethingCame.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether {@link #take} returns something without a wait. */
    boolean hasMail() {
        lock.lock();
        try {
            return overflowed || !mailbox.isEmpty() || last.isPresent();
        } finally {
            lock.unlock();
        }
    }

    /** Batches that came before an end are still delivered. */
    private Optional<Mail> now() {
        if (overflowed) {
            return Optional.of(new Mail.Overflowed());
        }
        if (!mailbox.isEmpty()) {
            // Bounded, because batches that stay here can still be dropped.
            List<Batch> batches = new ArrayList<>();
            for (long taken = 0; !mailbox.isEmpty() && taken < TAKEN_BYTES; ) {
                Batch batch = mailbox.remove();
                batches.add(batch);
                taken += batch.bytes();
                events -= batch.events().size();
                bytes -= batch.bytes();
            }
            return Optional.of(new Mail.Batches(batches));
        }
        return last;
    }
}
