package io.tidemark.connector;

import java.time.Duration;

/** The run of one feed, from when its connector leads until it ends. */
public interface FeedTerm {
    FeedLoop loop();

    /** Starts the loop; returns at once. */
    void start();

    /** Waits for the loop's end; false on timeout. */
    boolean awaitEnd(Duration timeout) throws InterruptedException;

    /** Ends what the loop waits for, and so the loop: its open transaction is aborted. */
    void interrupt();

    /** A run in a separate thread. */
    static FeedTerm inThread(FeedLoop loop) {
        Thread thread = Thread.ofPlatform().name("tidemark-feed").unstarted(loop);
        return new FeedTerm() {
            @Override
            public FeedLoop loop() {
                return loop;
            }

            @Override
            public void start() {
                thread.start();
            }

            @Override
            public boolean awaitEnd(Duration timeout) throws InterruptedException {
                return loop.awaitEnd(timeout);
            }

            @Override
            public void interrupt() {
                thread.interrupt();
            }
        };
    }
}
