package io.tidemark.streams;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes stores. That takes as long as flushing them does, and Streams leaves the group only when
 * all are closed: so a node that leaves has them closed behind its back, side by side, and others
 * take its partitions over meanwhile.
 */
final class StoreCloser {
    private static final Logger LOG = LoggerFactory.getLogger(StoreCloser.class);

    /** Guarded by this. */
    private final List<Thread> closing = new ArrayList<>();

    private volatile boolean leaving;

    /** From now on {@link #close} does not wait: no store of this process is opened again. */
    void leave() {
        leaving = true;
    }

    /**
     * @param store closes one
     */
    void close(Runnable store) {
        if (!leaving) {
            store.run();
            return;
        }
        Thread thread =
                Thread.ofPlatform().name("close-store").daemon().unstarted(() -> end(store));
        synchronized (this) {
            closing.add(thread);
        }
        thread.start();
    }

    private static void end(Runnable store) {
        try {
            store.run();
        } catch (RuntimeException e) {
            // It opens as of its last flush and reads on from there.
            LOG.warn("a store did not close well", e);
        }
    }

    /**
     * Waits for those that are being closed.
     *
     * @return whether all are
     */
    boolean await(Duration longest) {
        long deadline = System.nanoTime() + longest.toNanos();
        List<Thread> all;
        synchronized (this) {
            all = List.copyOf(closing);
        }
        boolean ended = true;
        try {
            for (Thread each : all) {
                ended &= each.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
        return ended;
    }
}
