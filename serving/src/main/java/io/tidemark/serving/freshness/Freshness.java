package io.tidemark.serving.freshness;

import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Chooses the revision that a request is served at: as fresh as it asked for, or an error after a
 * bounded wait. Never silently older.
 */
public final class Freshness {
    private final WatermarkTracker watermarks;
    private final Barriers barriers;
    private final Duration limit;
    private final LongConsumer waitedNanos;
    private final LongSupplier nanoClock;

    /**
     * @param limit of one request's whole wait, barrier included
     * @param waitedNanos receives the time that each request waited
     */
    public Freshness(
            WatermarkTracker watermarks,
            Barriers barriers,
            Duration limit,
            LongConsumer waitedNanos) {
        this(watermarks, barriers, limit, waitedNanos, System::nanoTime);
    }

    /** With another clock its waits must not block: use {@link #begin}. */
    public Freshness(
            WatermarkTracker watermarks,
            Barriers barriers,
            Duration limit,
            LongConsumer waitedNanos,
            LongSupplier nanoClock) {
        this.watermarks = watermarks;
        this.barriers = barriers;
        this.limit = limit;
        this.waitedNanos = waitedNanos;
        this.nanoClock = nanoClock;
    }

    /** The same with a shorter limit. */
    public Freshness within(Duration newLimit) {
        return newLimit.compareTo(limit) < 0
                ? new Freshness(watermarks, barriers, newLimit, waitedNanos, nanoClock)
                : this;
    }

    /**
     * A revision that includes every write that etcd acknowledged before this call.
     *
     * @throws StatusException 504 when etcd cannot be asked or the revision did not arrive in time
     */
    public ReadPoint latest(PartitionSet partitions) throws InterruptedException {
        return await(partitions, new RequestedState.Latest());
    }

    /**
     * The newest local state that is not older than a revision.
     *
     * @param requested the revision as the client spelled it
     * @throws StatusException 504 when it did not arrive in time
     */
    public ReadPoint notOlderThan(PartitionSet partitions, long revision, String requested)
            throws InterruptedException {
        return await(partitions, new RequestedState.NotOlderThan(revision, requested));
    }

    /**
     * Exactly a revision; see {@link RequestedState.Exactly}.
     *
     * @throws StatusException 504 when it did not arrive in time
     */
    public ReadPoint exactly(PartitionSet partitions, long revision, String requested)
            throws InterruptedException {
        return await(partitions, new RequestedState.Exactly(revision, requested));
    }

    /**
     * The newest local state, however stale.
     *
     * @throws StatusException 503 or 429 when no state was readable within the limit
     */
    public ReadPoint any(PartitionSet partitions) throws InterruptedException {
        return await(partitions, new RequestedState.Any());
    }

    /** Begins a request's wait, whose time counts from now. */
    public FreshnessWait begin(PartitionSet partitions, RequestedState state) {
        return begin(partitions, state, Duration.ZERO);
    }

    /**
     * Begins another wait of a request.
     *
     * @param waited how long the request has waited for states before: together its waits have one
     *     limit
     */
    public FreshnessWait begin(PartitionSet partitions, RequestedState state, Duration waited) {
        return new FreshnessWait(watermarks, barriers, nanoClock, limit, waited, partitions, state);
    }

    /**
     * Waits for any kind of state.
     *
     * @throws StatusException when it did not arrive in time
     */
    public ReadPoint await(PartitionSet partitions, RequestedState state)
            throws InterruptedException {
        return await(partitions, state, Duration.ZERO);
    }

    /**
     * Waits for another state of a request.
     *
     * @param waited see {@link #begin(PartitionSet, RequestedState, Duration)}
     * @throws StatusException when it did not arrive in time
     */
    public ReadPoint await(PartitionSet partitions, RequestedState state, Duration waited)
            throws InterruptedException {
        long began = System.nanoTime();
        FreshnessWait wait = begin(partitions, state, waited);
        try {
            while (true) {
                Optional<ReadPoint> point = wait.poll();
                if (point.isPresent()) {
                    return point.get();
                }
                wait.park();
            }
        } finally {
            if (!(state instanceof RequestedState.Any)) {
                waitedNanos.accept(System.nanoTime() - began);
            }
        }
    }
}
