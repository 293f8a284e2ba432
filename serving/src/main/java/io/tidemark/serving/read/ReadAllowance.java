package io.tidemark.serving.read;

import io.tidemark.serving.read.ByteBudget.Share;
import io.tidemark.serving.status.StatusErrors;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one request may use to read: memory, time, and only while its client is connected.
 * Thread-safe: several threads may read pages at once.
 */
public final class ReadAllowance {
    /** For reads whose pages are few and small, or bounded elsewhere. */
    public static final ReadAllowance UNLIMITED =
            new ReadAllowance(null, () -> false, () -> {}, Duration.ofNanos(Long.MAX_VALUE));

    /** How long a response that has begun waits for memory. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final @Nullable Share share;
    private final BooleanSupplier begun;
    private final Runnable requireClient;
    private final long longestNanos;
    private final AtomicLong spentNanos = new AtomicLong();
    private final AtomicLong loaded = new AtomicLong();

    private ReadAllowance(
            @Nullable Share share,
            BooleanSupplier begun,
            Runnable requireClient,
            Duration longest) {
        this.share = share;
        this.begun = begun;
        this.requireClient = requireClient;
        this.longestNanos = longest.toNanos();
    }

    /**
     * @param begun whether the response has begun: then it waits for memory, before it is refused
     * @param requireClient throws {@link ClientDisconnectedException} when the client has
     *     disconnected
     * @param longest time of all reads together, without the time that the client takes
     */
    public static ReadAllowance of(
            Share share, BooleanSupplier begun, Runnable requireClient, Duration longest) {
        return new ReadAllowance(share, begun, requireClient, longest);
    }

    /**
     * Checks, before a page is read, that the request may go on.
     *
     * @throws ClientDisconnectedException when its client has disconnected
     * @throws io.tidemark.serving.status.StatusException 504 when it has read for too long
     */
    void check() {
        requireClient.run();
        if (spentNanos.get() > longestNanos) {
            throw StatusErrors.requestTimedOut();
        }
    }

    /** Bytes of all pages that were read, also of those that are released. */
    public long loaded() {
        return loaded.get();
    }

    /** Adds bytes of what was read without {@link #adjust}. */
    public void addLoaded(long bytes) {
        loaded.addAndGet(bytes);
    }

    /** Adds time spent reading. */
    void spent(long nanos) {
        spentNanos.addAndGet(nanos);
    }

    /**
     * Books memory for a page.
     *
     * @return how large the page may be
     * @throws io.tidemark.serving.status.StatusException 429 when none is free
     */
    public long reserve(long most) throws InterruptedException {
        if (share == null) {
            return most;
        }
        long bytes = share.page(most);
        if (begun.getAsBoolean()) {
            share.await(bytes, PATIENCE);
        } else {
            share.take(bytes);
        }
        return bytes;
    }

    /**
     * Replaces a page's reservation by its actual size.
     *
     * @return false when it does not fit; then nothing is booked, and the page must be dropped and
     *     read again after {@link #reserveAll}
     * @throws io.tidemark.serving.status.StatusException 429 when it does not fit before the
     *     response has begun
     */
    public boolean adjust(long reserved, long actual) {
        loaded.addAndGet(actual);
        if (share == null) {
            return true;
        }
        if (actual <= reserved) {
            share.release(reserved - actual);
            return true;
        }
        if (!begun.getAsBoolean()) {
            share.take(actual - reserved);
            return true;
        }
        boolean fits = share.tryTake(actual - reserved, true);
        if (!fits) {
            share.release(reserved);
        }
        return fits;
    }

    /** Waits for memory of a known size, for a response that has begun. */
    public void reserveAll(long bytes) throws InterruptedException {
        if (share != null) {
            share.await(bytes, PATIENCE);
        }
    }

    public void release(long bytes) {
        if (share != null) {
            share.release(bytes);
        }
    }
}
