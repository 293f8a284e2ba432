package io.tidemark.store.read;

import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Prevents reads of closed native memory, which would crash the process. Many reads may be inside
 * at once; {@link #close} refuses new ones, then waits for those inside, each of which is bounded
 * by its own limits.
 */
final class ReadGuard {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private volatile boolean closed;

    /** False when closed; else {@link #leave} must follow, on the same thread. */
    boolean enter() {
        if (closed || !lock.readLock().tryLock()) {
            return false;
        }
        if (closed) {
            lock.readLock().unlock();
            return false;
        }
        return true;
    }

    void leave() {
        lock.readLock().unlock();
    }

    /** Returns when no read is inside; none can enter afterwards. */
    void close() {
        closed = true;
        lock.writeLock().lock();
        lock.writeLock().unlock();
    }
}
