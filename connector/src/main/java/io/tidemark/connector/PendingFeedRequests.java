package io.tidemark.connector;

import io.tidemark.connector.feed.FeedEvent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What others want of the feed, kept until its own thread looks. For any thread. */
final class PendingFeedRequests {
    /** Whoever waits for a mark has given up after this. */
    private static final long AWAITED_NANOS = Duration.ofSeconds(5).toNanos();

    /**
     * A revision that somebody waits to see marked.
     *
     * @param until in nanoseconds of the system's clock
     */
    private record Awaited(long revision, long until) {
        boolean isAbove(long marked) {
            return revision > marked && until - System.nanoTime() > 0;
        }
    }

    private final AtomicReference<Awaited> awaited =
            new AtomicReference<>(new Awaited(0, System.nanoTime()));

    /** Why etcd is to be looked at again; null when there is no reason. */
    private final AtomicReference<@Nullable String> suspicion = new AtomicReference<>();

    /** Null when there is no need of a new list. */
    private final AtomicReference<FeedEvent.@Nullable RelistRequested> relistRequested =
            new AtomicReference<>();

    /** Somebody waits for a mark at or above a revision. */
    void await(long revision) {
        Awaited newest = new Awaited(revision, System.nanoTime() + AWAITED_NANOS);
        awaited.updateAndGet(before -> before.isAbove(revision) ? before : newest);
    }

    /** Whether a mark above {@code marked} is waited for. */
    boolean hasWaiterAbove(long marked) {
        return awaited.get().isAbove(marked);
    }

    /** Something of etcd does not fit. */
    void requestEtcdCheck(String why) {
        suspicion.compareAndSet(null, why);
    }

    /** Everything of an epoch is to be told again. */
    void relist(long epoch, String why) {
        relistRequested.set(new FeedEvent.RelistRequested(epoch, why));
    }

    /** What has to be done before going on, once; null when nothing has. */
    @Nullable FeedEvent take() {
        String suspected = suspicion.getAndSet(null);
        return suspected != null
                ? new FeedEvent.EtcdLost(suspected)
                : relistRequested.getAndSet(null);
    }
}
