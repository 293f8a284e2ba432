package io.tidemark.serving.read;

import io.tidemark.serving.status.StatusException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether reads of "now" are answered: this node makes one of all partitions every few seconds, as
 * a client would, so that it is known before a client asks. It reads no object.
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
     * @param goodNanos when one was answered last; the start while none was
     * @param answered whether any was
     * @param trouble why the last one was not answered; empty when it was
     */
    private record Outcome(long goodNanos, boolean answered, String trouble) {}

    /**
     * @param partitions all of them; refuses while their number is not known
     * @param every from one read to the next; zero for never
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

    /** Begins; returns at once. */
    public void start() {
        if (every.isPositive()) {
            thread.start();
        }
    }

    /** Whether the last one was answered, or none has ended yet. */
    public boolean good() {
        return last.trouble().isEmpty();
    }

    /** How it stands, for people. */
    public String text() {
        Outcome now = last;
        String age = String.format(Locale.ROOT, "%.1f s", ageSeconds());
        if (!now.trouble().isEmpty()) {
            return "no answer for " + age + ": " + now.trouble();
        }
        return now.answered() ? "last answered " + age + " ago" : "not tried yet";
    }

    /** Since one was answered, or since the start. */
    public double ageSeconds() {
        return Math.max(0, nanoClock.getAsLong() - last.goodNanos()) / 1e9;
    }

    /** How many of them were not answered. */
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

    /** Makes one now. */
    void probe() throws InterruptedException {
        try {
            ReadPoint _ = freshness.latest(partitions.get());
            last = new Outcome(nanoClock.getAsLong(), true, "");
        } catch (StatusException refused) {
            failures.incrementAndGet();
            Outcome before = last;
            last = new Outcome(before.goodNanos(), before.answered(), refused.status().message());
        } catch (RuntimeException bug) {
            LOG.error("a read of now failed", bug);
            failures.incrementAndGet();
            last = new Outcome(last.goodNanos(), last.answered(), bug.toString());
        }
    }

    /** Returns at once. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
