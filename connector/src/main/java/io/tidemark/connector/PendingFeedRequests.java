package io.tidemark.connector;

import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.feed.FeedEvent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Requests of other threads to the feed, kept until its own thread takes them. Thread-safe. */
final class PendingFeedRequests {
    /** A caller that waits for a mark has timed out after this. */
    private static final long AWAITED_NANOS = Duration.ofSeconds(5).toNanos();

    /**
     * A revision for which a caller waits to be marked.
     *
     * @param until in nanoseconds of the system's clock
     */
    private record Awaited(long revision, long until) {
        boolean isAbove(long marked, long now) {
            return revision > marked && until - now > 0;
        }
    }

    private final TimeSource time;
    private final AtomicReference<Awaited> awaited;

    /** Why etcd should be checked again; null when there is no reason. */
    private final AtomicReference<@Nullable String> suspicion = new AtomicReference<>();

    /** Null when no relist is requested. */
    private final AtomicReference<FeedEvent.@Nullable RelistRequested> relistRequested =
            new AtomicReference<>();

    PendingFeedRequests(TimeSource time) {
        this.time = time;
        this.awaited = new AtomicReference<>(new Awaited(0, time.nanoTime()));
    }

    /** A caller waits for a mark at or above {@code revision}. */
    void await(long revision) {
        long now = time.nanoTime();
        Awaited newest = new Awaited(revision, now + AWAITED_NANOS);
        awaited.updateAndGet(before -> before.isAbove(revision, now) ? before : newest);
    }

    /** Whether a caller waits for a mark above {@code marked}. */
    boolean hasWaiterAbove(long marked) {
        return awaited.get().isAbove(marked, time.nanoTime());
    }

    /** An observation contradicts the mirror. */
    void requestEtcdCheck(String why) {
        suspicion.compareAndSet(null, why);
    }

    /** Everything of an epoch is to be relisted. */
    void relist(long epoch, String why) {
        relistRequested.set(new FeedEvent.RelistRequested(epoch, why));
    }

    /** Takes the next request, each once; null when there is none. */
    @Nullable FeedEvent take() {
        String suspected = suspicion.getAndSet(null);
        return suspected != null
                ? new FeedEvent.EtcdLost(suspected)
                : relistRequested.getAndSet(null);
    }
}
