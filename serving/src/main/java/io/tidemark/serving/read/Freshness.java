package io.tidemark.serving.read;

import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;

/**
 * Chooses the revision that a request is served at: as fresh as it asked, or an honest refusal
 * after a bounded wait. Never silently older.
 */
public final class Freshness {
    private static final Duration AGAIN = Duration.ofMillis(100);

    private final WatermarkTracker watermarks;
    private final Barriers barriers;
    private final Duration limit;
    private final LongConsumer waitedNanos;

    /**
     * @param limit of one request's whole wait, barrier included
     * @param waitedNanos told how long each request waited
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

    /** The same with less patience. */
    public Freshness within(Duration newLimit) {
        return newLimit.compareTo(limit) < 0
                ? new Freshness(watermarks, barriers, newLimit, waitedNanos)
                : this;
    }

    /**
     * Everything that etcd acknowledged before this call.
     *
     * @throws StatusException 504 when that cannot be known or did not arrive in time
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
     * The newest state here that is not older than a revision.
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
     * Exactly a revision, which may still have to arrive. Whether it is still known is not asked
     * here: copies know of different times, and any of them may answer the read.
     *
     * @throws StatusException 504 when it did not arrive in time
     */
    public ReadPoint exactly(PartitionSet partitions, long revision, String requested)
            throws InterruptedException {
        ReadPoint newest = notOlderThan(partitions, revision, requested);
        return new ReadPoint(partitions, newest.epoch(), revision, newest.asOfMillis());
    }

    /**
     * Whatever is here.
     *
     * @throws StatusException 503 or 429 when there is nothing for as long as that
     */
    public ReadPoint any(PartitionSet partitions) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        return point(partitions, settled(partitions, answered(partitions, deadline), deadline));
    }

    /** Waits out a moment in which a partition has no copy that answers. */
    private PartitionSetStatus answered(PartitionSet partitions, long deadline)
            throws InterruptedException {
        return watermarks.await(partitions, 0, 0, deadline).orThrow();
    }

    /** Waits for the partitions that have not crossed a gap which others have crossed already. */
    private PartitionSetStatus settled(
            PartitionSet partitions, PartitionSetStatus status, long deadline)
            throws InterruptedException {
        return status.hasCommonRevision()
                ? status
                : watermarks.await(partitions, status.epoch(), status.floor(), deadline).orThrow();
    }

    /**
     * Asked again when it could not be taken: another connector may be taking over, and the marks
     * say soon where it is.
     */
    private Barrier barrier(long deadline) throws InterruptedException {
        while (true) {
            try {
                long left = Math.max(0, deadline - System.nanoTime());
                return barriers.take().get(left, TimeUnit.NANOSECONDS);
            } catch (TimeoutException _) {
                throw StatusErrors.consistentReadUnavailable(
                        "no answer within " + limit.toMillis() + " ms");
            } catch (ExecutionException e) {
                if (deadline - System.nanoTime() < AGAIN.toNanos()) {
                    Throwable cause = e.getCause() == null ? e : e.getCause();
                    throw StatusErrors.consistentReadUnavailable(
                            String.valueOf(cause.getMessage()));
                }
            }
            Thread.sleep(AGAIN);
        }
    }

    private ReadPoint await(PartitionSet partitions, Barrier wanted, String requested, long began)
            throws InterruptedException {
        long deadline = began + limit.toNanos();
        PartitionSetStatus status =
                watermarks.await(partitions, wanted.epoch(), wanted.revision(), deadline);
        if (status.ready() && status.epoch() > wanted.epoch()) {
            // Another history has begun, with an older list perhaps: it has to get there as well.
            status = watermarks.await(partitions, status.epoch(), wanted.revision(), deadline);
        }
        boolean reached = status.reached(wanted.epoch(), wanted.revision());
        if (!reached || status.watermark() < wanted.revision()) {
            throw StatusErrors.resourceVersionTooLarge(requested, status.orThrow().watermark());
        }
        return point(partitions, settled(partitions, status, deadline));
    }

    private static ReadPoint point(PartitionSet partitions, PartitionSetStatus status) {
        return new ReadPoint(partitions, status.epoch(), status.watermark(), status.asOfMillis());
    }
}
