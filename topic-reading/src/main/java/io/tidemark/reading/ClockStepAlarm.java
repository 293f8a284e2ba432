package io.tidemark.reading;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Looks at the wall clock beside a thread that waits by it: a poll of Kafka's consumer that was to
 * take a moment takes an hour when the clock is set back by one meanwhile, and only another thread
 * can end it.
 */
public final class ClockStepAlarm implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(100);

    private final ClockStepDetector clock;
    private final Consumer<Duration> rings;
    private final Thread thread;
    private volatile Duration setBack = Duration.ZERO;

    /**
     * Begins to look.
     *
     * @param clock its own until it is closed
     * @param rings is told once at the most, by another thread, by how much the clock was set back
     */
    public ClockStepAlarm(ClockStepDetector clock, Consumer<Duration> rings) {
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
            rings.accept(setBack);
        } catch (InterruptedException _) {
            // Closed: nobody waits any more.
        }
    }

    /** By how much the clock was set back; zero while it was not. */
    public Duration setBack() {
        return setBack;
    }

    /** It does not ring after that. Not to be called by what it rings. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
