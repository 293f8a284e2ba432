package io.tidemark.store;

import java.util.concurrent.Semaphore;

/**
 * Bounds how many reads are inside an engine at once, over all partitions of the process. A read in
 * native code holds its carrier thread: without a bound, a few hundred readers on virtual threads
 * would leave none for anyone else. Those beyond it wait; each read is bounded, so the wait is.
 */
public final class ReadGate {
    private final Semaphore permits;

    private ReadGate(int permits) {
        this.permits = new Semaphore(permits);
    }

    /** As many as there are cores. */
    public static ReadGate ofCores() {
        return new ReadGate(Runtime.getRuntime().availableProcessors());
    }

    void enter() {
        permits.acquireUninterruptibly();
    }

    void leave() {
        permits.release();
    }
}
