package io.tidemark.query.watch;

import io.tidemark.query.status.StatusException;
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
final class Watcher {
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

    private final Interest interest;
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

    Watcher(Interest interest, WatchLimits limits) {
        this.interest = interest;
        this.limits = limits;
    }

    Interest interest() {
        return interest;
    }

    /**
     * @return false when it did not fit, and this mailbox takes no more
     */
    boolean deliver(Batch batch) {
        lock.lock();
        try {
            events += batch.deliveries().size();
            bytes += batch.bytes();
            if (events > limits.mailboxEvents() || bytes > limits.mailboxBytes()) {
                overflowed = true;
                mailbox.clear();
            } else {
                mailbox.add(batch);
            }
            somethingCame.signal();
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
    boolean holdsOnlyAfter(long revision) {
        lock.lock();
        try {
            Batch oldest = mailbox.peek();
            if (oldest != null && oldest.deliveries().getFirst().revision() <= revision) {
                overflowed = true;
                mailbox.clear();
                somethingCame.signal();
            }
            return !overflowed;
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

    /** Takes all there is, at once or when something comes. */
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
            List<Batch> batches = new ArrayList<>(mailbox);
            mailbox.clear();
            events = 0;
            bytes = 0;
            return Optional.of(new Mail.Batches(batches));
        }
        return last;
    }
}
