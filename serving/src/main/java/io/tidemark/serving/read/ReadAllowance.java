package io.tidemark.serving.read;

import io.tidemark.serving.read.ByteBudget.Share;
import io.tidemark.serving.status.StatusErrors;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one request may use to read: memory, time, and only as long as its client is there. Pages
 * may be read by several threads at once.
 */
public final class ReadAllowance {
    /** For readers whose pages are few and small, or are bounded elsewhere. */
    public static final ReadAllowance UNLIMITED =
            new ReadAllowance(null, () -> false, () -> {}, Duration.ofNanos(Long.MAX_VALUE));

    /** How long an answer that has begun waits for memory. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final @Nullable Share share;
    private final BooleanSupplier begun;
    private final Runnable requireClient;
    private final long longestNanos;
    private final AtomicLong spentNanos = new AtomicLong();

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
     * @param begun whether the answer has begun: it waits for memory then, and is refused before
     * @param requireClient throws {@link ClientDisconnectedException} when the client has left
     * @param longest all reading together, without the time that the client takes
     */
    public static ReadAllowance of(
            Share share, BooleanSupplier begun, Runnable requireClient, Duration longest) {
        return new ReadAllowance(share, begun, requireClient, longest);
    }

    /**
     * Checks, before a page is read, that the request may go on.
     *
     * @throws ClientDisconnectedException when its client has left
     * @throws io.tidemark.serving.status.StatusException 504 when it has read for too long
     */
    void check() {
        requireClient.run();
        if (spentNanos.get() > longestNanos) {
            throw StatusErrors.requestTimedOut();
        }
    }

    /** So long it has read just now. */
    void spent(long nanos) {
        spentNanos.addAndGet(nanos);
    }

    /**
     * Books memory for a page.
     *
     * @return how large the page may be
     * @throws io.tidemark.serving.status.StatusException 429 when there is none left
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
     * Books what a page holds in place of what was reserved for it.
     *
     * @return false when that does not fit; nothing is booked for the page then, and it must be let
     *     go, and read again after {@link #reserveAll}
     * @throws io.tidemark.serving.status.StatusException 429 when it does not fit before the answer
     *     has begun
     */
    public boolean adjust(long reserved, long actual) {
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

    /** Waits for memory for a page of a known size. */
    void reserveAll(long bytes) throws InterruptedException {
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
