package io.tidemark.query.http;

import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.WatermarkTracker;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * Where requests wait that come while the node is on its way up. Most clients show a refusal to
 * their users, or stay away for long; a short wait for the first answer they do not notice. Once
 * the node has been ready nobody waits here any more.
 */
final class StartupGate {
    /** How many wait at once; further ones are refused as they would be without waiting. */
    private static final int PLACES = 1_024;

    private static final Duration LOOK_UP = Duration.ofMillis(20);

    private final WatermarkTracker watermarks;
    private final BooleanSupplier catalogReady;
    private final BooleanSupplier stopping;
    private final Duration longest;
    private final Semaphore places = new Semaphore(PLACES);
    private volatile boolean started;

    /**
     * @param stopping whether it will not come up any more
     * @param longest how long a request waits
     */
    StartupGate(
            WatermarkTracker watermarks,
            BooleanSupplier catalogReady,
            BooleanSupplier stopping,
            Duration longest) {
        this.watermarks = watermarks;
        this.catalogReady = catalogReady;
        this.stopping = stopping;
        this.longest = longest;
    }

    /** Returns when the node is ready, or when it has taken too long. */
    void await() throws InterruptedException {
        if (hasStarted() || !places.tryAcquire()) {
            return;
        }
        try {
            long deadline = System.nanoTime() + longest.toNanos();
            while (!hasStarted() && !stopping.getAsBoolean() && deadline - System.nanoTime() > 0) {
                Thread.sleep(LOOK_UP);
            }
        } finally {
            places.release();
        }
    }

    private boolean hasStarted() {
        if (!started) {
            int partitions = watermarks.partitions();
            started =
                    partitions > 0
                            && catalogReady.getAsBoolean()
                            && watermarks.status(new PartitionSet(0, partitions)).ready();
        }
        return started;
    }
}
