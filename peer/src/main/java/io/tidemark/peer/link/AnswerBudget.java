package io.tidemark.peer.link;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds the memory for answers between nodes, in the server or in the client. A single answer of
 * any size is always admitted. Thread-safe.
 */
public final class AnswerBudget {
    private static final long MOST = 128L << 20;
    private static final int PART_OF_HEAP = 16;

    private final long total;
    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition givenBack = lock.newCondition();

    /** Guarded by lock. */
    private long held;

    /**
     * @param total in bytes
     */
    public AnswerBudget(long total) {
        this.total = total;
    }

    /** A sixteenth of the heap, 128 MiB at most. */
    public static AnswerBudget ofHeap() {
        return new AnswerBudget(Math.min(MOST, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    /** Another budget of half the size, for one of those who share this one. */
    AnswerBudget half() {
        return new AnswerBudget(total / 2);
    }

    /** In bytes. */
    public long held() {
        lock.lock();
        try {
            return held;
        } finally {
            lock.unlock();
        }
    }

    /** An empty booking for one answer. */
    public Booking booking() {
        return new Booking();
    }

    /** The memory that one answer holds; for one thread. Closing it releases the memory. */
    public final class Booking implements AutoCloseable {
        /** Guarded by lock. */
        private long mine;

        private Booking() {}

        /**
         * Books more.
         *
         * @return false when the budget still lacks the memory after {@code longest}
         */
        public boolean take(long bytes, Duration longest) throws InterruptedException {
            long left = longest.toNanos();
            lock.lockInterruptibly();
            try {
                while (held > mine && held + bytes > total) {
                    if (left <= 0) {
                        return false;
                    }
                    left = givenBack.awaitNanos(left);
                }
                mine += bytes;
                held += bytes;
                return true;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                held -= mine;
                mine = 0;
                givenBack.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
