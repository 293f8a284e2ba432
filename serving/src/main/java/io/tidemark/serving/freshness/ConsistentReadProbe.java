package io.tidemark.serving.freshness;

import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a consistent read of all partitions every few seconds, as a client would, to detect that
 * they fail before a client does. It reads no objects.
 */
public final class ConsistentReadProbe implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConsistentReadProbe.class);

    private final Freshness freshness;
    private final Supplier<PartitionSet> partitions;
    private final Duration every;
    private final LongSupplier nanoClock;
    private final AtomicLong failures = new AtomicLong();
    private final Thread thread;
    private volatile Outcome last;

    /**
     * @param lastSuccessNanos when a probe last succeeded; the start before the first
     * @param everSucceeded whether any probe succeeded
     * @param failure why the last probe failed; empty if it succeeded
     */
    private record Outcome(long lastSuccessNanos, boolean everSucceeded, String failure) {}

    /**
     * @param partitions all partitions; throws while their number is unknown
     * @param every the interval; zero for no probes
     */
    public ConsistentReadProbe(
            Freshness freshness, Supplier<PartitionSet> partitions, Duration every) {
        this(freshness, partitions, every, System::nanoTime);
    }

    ConsistentReadProbe(
            Freshness freshness,
            Supplier<PartitionSet> partitions,
            Duration every,
            LongSupplier nanoClock) {
        this.freshness = freshness;
        this.partitions = partitions;
        this.every = every;
        this.nanoClock = nanoClock;
        this.last = new Outcome(nanoClock.getAsLong(), false, "");
        this.thread = Thread.ofVirtual().name("tidemark-reads-of-now").unstarted(this::run);
    }

    /** Starts probing; returns at once. */
    public void start() {
        if (every.isPositive()) {
            thread.start();
        }
    }

    /** Whether the last probe succeeded, or none has ended yet. */
    public boolean good() {
        return last.failure().isEmpty();
    }

    /** The last result, for people. */
    public String text() {
        Outcome now = last;
        String age = String.format(Locale.ROOT, "%.1f s", ageSeconds());
        if (!now.failure().isEmpty()) {
            return "no answer for " + age + ": " + now.failure();
        }
        return now.everSucceeded() ? "last answered " + age + " ago" : "not tried yet";
    }

    /** Seconds since a probe succeeded, or since the start. */
    public double ageSeconds() {
        return Math.max(0, nanoClock.getAsLong() - last.lastSuccessNanos()) / 1e9;
    }

    /** Number of failed probes. */
    public long failures() {
        return failures.get();
    }

    private void run() {
        try {
            while (true) {
                probe();
                Thread.sleep(every);
            }
        } catch (InterruptedException _) {
            LOG.debug("closing");
        }
    }

    /** Makes one probe. */
    void probe() throws InterruptedException {
        try {
            ReadPoint _ = freshness.latest(partitions.get());
            last = new Outcome(nanoClock.getAsLong(), true, "");
        } catch (StatusException refused) {
            failures.incrementAndGet();
            Outcome before = last;
            last =
                    new Outcome(
                            before.lastSuccessNanos(),
                            before.everSucceeded(),
                            refused.status().message());
        } catch (RuntimeException bug) {
            LOG.error("consistent read probe failed", bug);
            failures.incrementAndGet();
            last = new Outcome(last.lastSuccessNanos(), last.everSucceeded(), bug.toString());
        }
    }

    /** Returns at once. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
