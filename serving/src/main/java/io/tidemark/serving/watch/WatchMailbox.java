package io.tidemark.serving.watch;

import io.tidemark.serving.status.StatusException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The mailbox of a watch that keeps up. It holds references to shared events, up to a limit; when
 * they come faster than they are taken it drops all of them and says so, because the watch can read
 * them again from where it stands.
 */
final class WatchMailbox {
    /** What a mailbox has to say. */
    sealed interface Mail {
        /** In order; empty when nothing came until the time was over. */
        record Batches(List<Batch> batches) implements Mail {}

        /**
         * Something came that did not fit, or nothing will come here any more: read on from the
         * history.
         */
        record Overflowed() implements Mail {}

        /**
         * No more will come.
         *
         * @param why empty for a clean end
         */
        record Ended(Optional<StatusException> why) implements Mail {}
    }

    /** So much is taken at once, and one batch at least. */
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

    /** The last that it has to say. */
    private Optional<Mail> last = Optional.empty();

    WatchMailbox(WatchFilter filter, WatchLimits limits) {
        this.filter = filter;
        this.limits = limits;
    }

    WatchFilter filter() {
        return filter;
    }

    /**
     * Puts in front what a watch that has just joined has missed.
     *
     * @return false when it is more than fits: the watch has to read on from the history
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
        lock.lock();
        try {
            events += batch.events().size();
            bytes += batch.bytes();
            if (fits()) {
                mailbox.add(batch);
                somethingCame.signal();
            } else {
                drop();
            }
            return !overflowed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Drops all it holds, as {@link #deliver} does, if some of it is older than what is kept for
     * everyone anyway: events that nobody else holds are read again when they are wanted.
     *
     * @return false when it did, and this mailbox takes no more
     */
    boolean dropIfOlderThan(long revision) {
        lock.lock();
        try {
            Batch oldest = mailbox.peek();
            if (oldest != null && oldest.events().getFirst().revision() <= revision) {
                drop();
            }
            return !overflowed;
        } finally {
            lock.unlock();
        }
    }

    /** Takes no more, and forgets what it holds: the watch reads on from the history. */
    void drop() {
        lock.lock();
        try {
            overflowed = true;
            mailbox.clear();
            somethingCame.signal();
        } finally {
            lock.unlock();
        }
    }

    void end(Optional<StatusException> why) {
        last(new Mail.Ended(why));
    }

    /** No more will come here, though there may be more where it stands. */
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
    }

    /** From now on nobody waits here for what may come. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            somethingCame.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Takes what there is, up to a bound, at once or when something comes. */
    Mail take(long untilNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                Optional<Mail> mail = now();
                if (mail.isPresent()) {
                    return mail.get();
                }
                long left = untilNanos - System.nanoTime();
                if (left <= 0 || woken) {
                    return new Mail.Batches(List.of());
                }
                somethingCame.await(left, TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    /** What came before an end is still delivered. */
    private Optional<Mail> now() {
        if (overflowed) {
            return Optional.of(new Mail.Overflowed());
        }
        if (!mailbox.isEmpty()) {
            // What is left here can be dropped when it grows old, what is taken cannot.
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
