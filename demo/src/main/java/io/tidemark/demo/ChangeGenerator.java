package io.tidemark.demo;

import io.tidemark.etcd.connection.EtcdException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the example cluster at a given rate, in its own thread. Retries every second while etcd
 * fails, until closed.
 */
public final class ChangeGenerator implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeGenerator.class);
    private static final double MAX_RATE = 1000;
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /** After this many steps in a row without a change, the thread pauses. */
    private static final int MAX_IDLE_STEPS = 50;

    private final ClusterSimulation simulation;
    private final long pauseNanos;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong changes = new AtomicLong();
    private final Thread thread;

    ChangeGenerator(ClusterSimulation simulation, double changesPerSecond) {
        if (!(changesPerSecond > 0 && changesPerSecond <= MAX_RATE)) {
            throw new IllegalArgumentException(
                    "changes per second must be above 0 and at most %.0f, not %s"
                            .formatted(MAX_RATE, changesPerSecond));
        }
        this.simulation = simulation;
        pauseNanos = (long) (TimeUnit.SECONDS.toNanos(1) / changesPerSecond);
        thread = Thread.ofVirtual().name("demo-cluster").start(this::run);
    }

    /** Changes written so far. */
    public long changes() {
        return changes.get();
    }

    private void run() {
        try {
            long due = System.nanoTime();
            boolean failing = false;
            while (true) {
                try {
                    change();
                    failing = false;
                    due = Math.max(due + pauseNanos, System.nanoTime() - RETRY_NANOS);
                } catch (EtcdException failed) {
                    if (!failing) {
                        LOG.warn("the demo pauses, etcd failed: {}", failed.getMessage());
                    }
                    failing = true;
                    due = System.nanoTime() + RETRY_NANOS;
                }
                if (closed.await(due - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException interrupted) {
            LOG.debug("the demo was interrupted");
        } catch (RuntimeException broken) {
            LOG.error("the demo has failed; the example cluster no longer changes", broken);
        }
    }

    private void change() {
        for (int i = 0; i < MAX_IDLE_STEPS && closed.getCount() > 0; i++) {
            if (simulation.step()) {
                changes.incrementAndGet();
                return;
            }
        }
    }

    /** Stops after the current change, within 5 s. */
    @Override
    public void close() {
        closed.countDown();
        try {
            if (!thread.join(CLOSE_TIMEOUT)) {
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
