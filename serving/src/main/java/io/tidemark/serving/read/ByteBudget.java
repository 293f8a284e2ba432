package io.tidemark.serving.read;

import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds the memory of all responses together, and of those to one client. A response books what it
 * has read and releases it as it is written. A response that does not fit is refused with 429
 * before it begins, and waits once it has begun; the last eighth is reserved for responses that
 * have begun, so that they finish and release their memory. A single response of any size always
 * fits: else it could never be served. Thread-safe.
 */
public final class ByteBudget {
    private static final int RESERVED_PART = 8;

    /** A page takes at most this part of the free memory. */
    private static final int PAGE_PART = 16;

    private static final long SMALLEST_PAGE = 16 << 10;

    private final long total;
    private final long perClient;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();

    // Both guarded by lock.
    private final Map<String, Long> clients = new HashMap<>();
    private long held;

    /**
     * @param total bytes for all responses
     * @param perClient bytes for all responses to one client: a user, or an address
     */
    public ByteBudget(long total, long perClient) {
        this.total = total;
        this.perClient = perClient;
    }

    /** A new, empty share for one response. */
    public Share share(String client) {
        return new Share(client);
    }

    /** Bytes currently booked. */
    public long held() {
        lock.lock();
        try {
            return held;
        } finally {
            lock.unlock();
        }
    }

    private static long limit(long bytes, boolean begun) {
        return begun ? bytes : bytes - bytes / RESERVED_PART;
    }

    /** The memory of one response. Closing it releases everything; it then books no more. */
    public final class Share implements AutoCloseable {
        // All guarded by lock.
        private String client;
        private long mine;
        private boolean closed;

        private Share(String client) {
            this.client = client;
        }

        /** From now on the memory counts for another client, such as the user once it is known. */
        public void chargeTo(String other) {
            lock.lock();
            try {
                long bytes = mine;
                add(-bytes);
                client = other;
                add(bytes);
            } finally {
                lock.unlock();
            }
        }

        /**
         * Books memory for a response that has not begun.
         *
         * @throws StatusException 429 when not enough is free
         */
        public void take(long bytes) {
            if (!tryTake(bytes, false)) {
                throw full();
            }
        }

        /**
         * Books memory if enough is free.
         *
         * @param begun whether the response has begun
         */
        public boolean tryTake(long bytes, boolean begun) {
            lock.lock();
            try {
                if (closed || !fits(bytes, begun)) {
                    return false;
                }
                add(bytes);
                return true;
            } finally {
                lock.unlock();
            }
        }

        /**
         * Waits for memory for a response that has begun and books it.
         *
         * @throws StatusException 429 when not enough was free for so long
         */
        public void await(long bytes, Duration longest) throws InterruptedException {
            long left = longest.toNanos();
            lock.lockInterruptibly();
            try {
                while (!closed && !fits(bytes, true)) {
                    if (left <= 0) {
                        throw full();
                    }
                    left = released.awaitNanos(left);
                }
                if (closed) {
                    throw full();
                }
                add(bytes);
            } finally {
                lock.unlock();
            }
        }

        /** The size limit of the next page: the less is free, the smaller. Books nothing. */
        public long page(long most) {
            lock.lock();
            try {
                long left = Math.min(total - held, perClient - ofClient());
                return Math.min(most, Math.max(SMALLEST_PAGE, left / PAGE_PART));
            } finally {
                lock.unlock();
            }
        }

        public void release(long bytes) {
            lock.lock();
            try {
                add(-Math.min(bytes, mine));
                released.signalAll();
            } finally {
                lock.unlock();
            }
        }

        public void releaseAll() {
            release(Long.MAX_VALUE);
        }

        @Override
        public void close() {
            lock.lock();
            try {
                closed = true;
                releaseAll();
            } finally {
                lock.unlock();
            }
        }

        private boolean fits(long bytes, boolean begun) {
            boolean alone = held == mine;
            boolean aloneOfClient = ofClient() == mine;
            return (alone || held + bytes <= limit(total, begun))
                    && (aloneOfClient || ofClient() + bytes <= limit(perClient, begun));
        }

        private long ofClient() {
            return clients.getOrDefault(client, 0L);
        }

        private void add(long bytes) {
            mine += bytes;
            held += bytes;
            long ofClient = ofClient() + bytes;
            if (ofClient == 0) {
                clients.remove(client);
            } else {
                clients.put(client, ofClient);
            }
        }

        private StatusException full() {
            return StatusErrors.tooManyRequests(
                    "too much is being answered at once, please try again later");
        }
    }
}
