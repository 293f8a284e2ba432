package io.tidemark.query.http.health;

import io.tidemark.serving.freshness.WatermarkTracker;
import io.tidemark.serving.read.PartitionSet;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * Holds requests that arrive while the node starts. Most clients show an error to their users or
 * back off for long, but do not notice a short wait. Once the node has been ready the gate stays
 * open.
 */
public final class StartupGate {
    /** Requests that wait at once; further ones pass and are refused at once. */
    private static final int PLACES = 1_024;

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private final WatermarkTracker watermarks;
    private final BooleanSupplier followersReady;
    private final BooleanSupplier stopping;
    private final Duration longest;
    private final Semaphore places = new Semaphore(PLACES);
    private volatile boolean started;

    /**
     * @param followersReady whether definitions and rules have been read
     * @param stopping whether the node is shutting down
     * @param longest how long a request waits
     */
    public StartupGate(
            WatermarkTracker watermarks,
            BooleanSupplier followersReady,
            BooleanSupplier stopping,
            Duration longest) {
        this.watermarks = watermarks;
        this.followersReady = followersReady;
        this.stopping = stopping;
        this.longest = longest;
    }

    /** Returns when the node is ready, stopping, or after the longest wait. */
    public void await() throws InterruptedException {
        if (hasStarted() || !places.tryAcquire()) {
            return;
        }
        try {
            long deadline = System.nanoTime() + longest.toNanos();
            while (!hasStarted() && !stopping.getAsBoolean() && deadline - System.nanoTime() > 0) {
                Thread.sleep(POLL_INTERVAL);
            }
        } finally {
            places.release();
        }
    }

    /** Whether the node has been ready once. */
    public boolean hasStarted() {
        if (!started) {
            int partitions = watermarks.partitions();
            started =
                    partitions > 0
                            && followersReady.getAsBoolean()
                            && watermarks.status(new PartitionSet(0, partitions)).ready();
        }
        return started;
    }
}
