package io.tidemark.streams.replica;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes stores. A close takes as long as its flush, and Streams leaves the group only after all
 * stores are closed: so a node that leaves closes them in the background, in parallel, and others
 * take over its partitions meanwhile.
 */
public final class StoreCloser {
    private static final Logger LOG = LoggerFactory.getLogger(StoreCloser.class);

    /** Guarded by this. */
    private final List<Thread> closing = new ArrayList<>();

    private volatile boolean leaving;

    /** From now on {@link #close} does not wait: this process opens no store again. */
    public void leave() {
        leaving = true;
    }

    /**
     * @param store closes one store
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
            // The store opens as of its last flush, and reads on from there.
            LOG.warn("closing a store failed; it reopens as of its last flush", e);
        }
    }

    /**
     * Waits for the stores that are being closed.
     *
     * @return whether all are closed
     */
    public boolean await(Duration longest) {
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
