package io.tidemark.connector.lead;

import io.tidemark.reading.ClockSteps;
import java.time.Duration;

/**
 * Looks at the wall clock beside a thread that waits by it: a poll of Kafka's consumer that was to
 * take a moment takes an hour when the clock is set back by one meanwhile, and only another thread
 * can end it.
 */
final class ClockAlarm implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(100);

    private final ClockSteps clock;
    private final Runnable rings;
    private final Thread thread;
    private volatile Duration setBack = Duration.ZERO;

    /**
     * Begins to look.
     *
     * @param clock its own until it is closed
     * @param rings called once at the most, by another thread
     */
    ClockAlarm(ClockSteps clock, Runnable rings) {
        this.clock = clock;
        this.rings = rings;
        this.thread = Thread.ofVirtual().name("tidemark-clock").start(this::run);
    }

    private void run() {
        try {
            while (setBack.isZero()) {
                Thread.sleep(LOOK);
                setBack = clock.setBack();
            }
            rings.run();
        } catch (InterruptedException _) {
            // Closed: nobody waits any more.
        }
    }

    /** By how much the clock was set back; zero while it was not. */
    Duration setBack() {
        return setBack;
    }

    /** It does not ring after that. */
    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
