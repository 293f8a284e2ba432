package io.tidemark.peer;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds what answers between nodes hold in memory, on the side that makes them or on the side that
 * takes them. One that is alone always fits. Thread-safe.
 */
final class AnswerBudget {
    private static final long MOST = 128L << 20;
    private static final int PART_OF_HEAP = 16;

    private final long total;
    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition givenBack = lock.newCondition();

    /** Guarded by lock. */
    private long held;

    AnswerBudget(long total) {
        this.total = total;
    }

    /** A sixteenth of the heap, 128 MiB at most. */
    static AnswerBudget ofHeap() {
        return new AnswerBudget(Math.min(MOST, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    long held() {
        lock.lock();
        try {
            return held;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing yet, for one answer. */
    Booking booking() {
        return new Booking();
    }

    /** What one answer holds; for one thread. Closing it gives it back. */
    final class Booking implements AutoCloseable {
        /** Guarded by lock. */
        private long mine;

        private Booking() {}

        /**
         * Books more.
         *
         * @return false when there is not enough, and was not for so long
         */
        boolean take(long bytes, Duration longest) throws InterruptedException {
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
