package io.tidemark.reading;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Watches the wall clock while another thread blocks in a Kafka client: when the clock is set back
 * by an hour meanwhile, a short poll of the consumer takes an hour, and only another thread can end
 * it.
 */
public final class ClockStepAlarm implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final ClockStepDetector clock;
    private final Consumer<Duration> onSetBack;
    private final Thread thread;
    private volatile Duration setBack = Duration.ZERO;

    /**
     * Starts to watch the clock.
     *
     * @param clock used by the alarm alone until it is closed
     * @param onSetBack receives the step, at most once and in another thread
     */
    public ClockStepAlarm(ClockStepDetector clock, Consumer<Duration> onSetBack) {
        this.clock = clock;
        this.onSetBack = onSetBack;
        this.thread = Thread.ofVirtual().name("tidemark-clock").start(this::run);
    }

    private void run() {
        try {
            while (setBack.isZero()) {
                Thread.sleep(INTERVAL);
                setBack = clock.setBack();
            }
            onSetBack.accept(setBack);
        } catch (InterruptedException _) {
            // Closed: no thread waits any more.
        }
    }

    /** By how much the clock was set back; zero if it was not. */
    public Duration setBack() {
        return setBack;
    }

    /** Stops the alarm. Must not be called by its callback. */
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
