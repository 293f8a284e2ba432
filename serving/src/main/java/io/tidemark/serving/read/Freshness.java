package io.tidemark.serving.read;

import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;

/**
 * Chooses the revision that a request is served at: as fresh as it asked for, or an error after a
 * bounded wait. Never silently older.
 */
public final class Freshness {
    private static final Duration RETRY_PAUSE = Duration.ofMillis(100);

    private final WatermarkTracker watermarks;
    private final Barriers barriers;
    private final Duration limit;
    private final LongConsumer waitedNanos;

    /**
     * @param limit of one request's whole wait, barrier included
     * @param waitedNanos receives the time that each request waited
     */
    public Freshness(
            WatermarkTracker watermarks,
            Barriers barriers,
            Duration limit,
            LongConsumer waitedNanos) {
        this.watermarks = watermarks;
        this.barriers = barriers;
        this.limit = limit;
        this.waitedNanos = waitedNanos;
    }

    /** The same with a shorter limit. */
    public Freshness within(Duration newLimit) {
        return newLimit.compareTo(limit) < 0
                ? new Freshness(watermarks, barriers, newLimit, waitedNanos)
                : this;
    }

    /**
     * A revision that includes every write that etcd acknowledged before this call.
     *
     * @throws StatusException 504 when etcd cannot be asked or the revision did not arrive in time
     */
    public ReadPoint latest(PartitionSet partitions) throws InterruptedException {
        long began = System.nanoTime();
        try {
            PartitionSetStatus _ = answered(partitions, began + limit.toNanos());
            Barrier barrier = barrier(began + limit.toNanos());
            return await(partitions, barrier, Long.toString(barrier.revision()), began);
        } finally {
            waitedNanos.accept(System.nanoTime() - began);
        }
    }

    /**
     * The newest local state that is not older than a revision.
     *
     * @param requested the revision as the client spelled it
     * @throws StatusException 504 when it did not arrive in time
     */
    public ReadPoint notOlderThan(PartitionSet partitions, long revision, String requested)
            throws InterruptedException {
        long began = System.nanoTime();
        try {
            long epoch = answered(partitions, began + limit.toNanos()).epoch();
            return await(partitions, new Barrier(epoch, revision), requested, began);
        } finally {
            waitedNanos.accept(System.nanoTime() - began);
        }
    }

    /**
     * Exactly a revision, which may still have to arrive. Does not check the floor: replicas have
     * different floors, and any of them may answer the read.
     *
     * @throws StatusException 504 when it did not arrive in time
     */
    public ReadPoint exactly(PartitionSet partitions, long revision, String requested)
            throws InterruptedException {
        ReadPoint newest = notOlderThan(partitions, revision, requested);
        return new ReadPoint(partitions, newest.epoch(), revision, newest.asOfMillis());
    }

    /**
     * The newest local state, however stale.
     *
     * @throws StatusException 503 or 429 when no state was readable within the limit
     */
    public ReadPoint any(PartitionSet partitions) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        return point(partitions, settled(partitions, answered(partitions, deadline), deadline));
    }

    /** Waits while a partition has no ready replica. */
    private PartitionSetStatus answered(PartitionSet partitions, long deadline)
            throws InterruptedException {
        return watermarks.await(partitions, 0, 0, deadline).orThrow();
    }

    /** Waits for partitions that have not reconciled a gap which others have already reconciled. */
    private PartitionSetStatus settled(
            PartitionSet partitions, PartitionSetStatus status, long deadline)
            throws InterruptedException {
        return status.hasCommonRevision()
                ? status
                : watermarks.await(partitions, status.epoch(), status.floor(), deadline).orThrow();
    }

    /** Retries: another connector may be taking over, and the next tide marks carry its address. */
    private Barrier barrier(long deadline) throws InterruptedException {
        while (true) {
            try {
                return barriers.take(Duration.ofNanos(deadline - System.nanoTime()));
            } catch (TimeoutException _) {
                throw StatusErrors.consistentReadUnavailable(
                        "no answer within " + limit.toMillis() + " ms");
            } catch (ExecutionException e) {
                if (deadline - System.nanoTime() < RETRY_PAUSE.toNanos()) {
                    Throwable cause = e.getCause() == null ? e : e.getCause();
                    throw StatusErrors.consistentReadUnavailable(
                            String.valueOf(cause.getMessage()));
                }
            }
            Thread.sleep(RETRY_PAUSE);
        }
    }

    private ReadPoint await(PartitionSet partitions, Barrier target, String requested, long began)
            throws InterruptedException {
        long deadline = began + limit.toNanos();
        PartitionSetStatus status =
                watermarks.await(partitions, target.epoch(), target.revision(), deadline);
        if (status.ready() && status.epoch() > target.epoch()) {
            // A new history has begun, perhaps from an older list: it must reach the revision as
            // well.
            status = watermarks.await(partitions, status.epoch(), target.revision(), deadline);
        }
        boolean reached = status.reached(target.epoch(), target.revision());
        if (!reached || status.watermark() < target.revision()) {
            throw StatusErrors.resourceVersionTooLarge(requested, status.orThrow().watermark());
        }
        return point(partitions, settled(partitions, status, deadline));
    }

    private static ReadPoint point(PartitionSet partitions, PartitionSetStatus status) {
        return new ReadPoint(partitions, status.epoch(), status.watermark(), status.asOfMillis());
    }
}
