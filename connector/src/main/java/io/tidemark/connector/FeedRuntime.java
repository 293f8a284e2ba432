package io.tidemark.connector;

import io.tidemark.concurrent.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What one feed takes from the machine that it runs on: time, waits and threads. The simulation
 * replaces them by virtual time.
 */
public interface FeedRuntime {
    TimeSource time();

    /** Waits in the feed's thread; returns at once after {@link #endPauses}. */
    void pause(Duration duration) throws InterruptedException;

    /** Ends the running pause and all later ones. Thread-safe. */
    void endPauses();

    /** Runs a blocking call that the feed does not wait for. */
    void execute(Runnable call);

    /** This machine, for one feed. */
    static FeedRuntime ofSystem() {
        CountDownLatch ended = new CountDownLatch(1);
        return new FeedRuntime() {
            @Override
            public TimeSource time() {
                return TimeSource.SYSTEM;
            }

            @Override
            public void pause(Duration duration) throws InterruptedException {
                boolean _ = ended.await(duration.toNanos(), TimeUnit.NANOSECONDS);
            }

            @Override
            public void endPauses() {
                ended.countDown();
            }

            @Override
            public void execute(Runnable call) {
                Thread _ = Thread.ofVirtual().name("tidemark-newest").start(call);
            }
        };
    }
}
