package io.tidemark.serving.read;

import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.RevisionAtTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Maps a time to a revision: the newest one that the topic held by then, by the times of tide
 * marks. Every node and every set of partitions gives the same answer, also later; see {@link
 * RevisionAtTime}. For very recent times it takes a barrier first, so that records in flight are
 * not missed.
 */
public final class TimeTravel {
    /** A client's clock may be ahead by this much; the request waits for that time. */
    private static final Duration MAX_AHEAD = Duration.ofSeconds(1);

    private final ClusterView view;
    private final WatermarkTracker watermarks;
    private final InstantSource clock;

    public TimeTravel(ClusterView view, WatermarkTracker watermarks, InstantSource clock) {
        this.view = view;
        this.watermarks = watermarks;
        this.clock = clock;
    }

    /**
     * The read point for the state as of a time.
     *
     * @throws StatusException 400 for a future time, 410 for one below the floor, 504 for one so
     *     recent that it needs a barrier and etcd cannot be asked
     */
    public ReadPoint at(PartitionSet partitions, Instant time, Freshness freshness)
            throws InterruptedException {
        awaitTime(time);
        long millis = time.toEpochMilli();
        ReadPoint newest = freshness.any(partitions);
        try {
            RevisionAtTime found = view.revisionAt(newest, millis);
            if (!found.settled()) {
                newest = freshness.latest(partitions);
                found = view.revisionAt(newest, millis);
            }
            if (found.revision().isEmpty()) {
                throw StatusErrors.timeExpired(
                        time,
                        Instant.ofEpochMilli(found.oldestMillis()),
                        watermarks.status(partitions).floor());
            }
            return new ReadPoint(
                    partitions,
                    newest.epoch(),
                    found.revision().getAsLong(),
                    Math.min(millis, newest.asOfMillis()));
        } catch (RevisionExpiredException e) {
            // A time that is too old has its own error, timeExpired.
            throw e.replacement().orElseThrow(() -> e);
        }
    }

    private void awaitTime(Instant time) throws InterruptedException {
        Duration ahead = Duration.between(clock.instant(), time);
        if (ahead.compareTo(MAX_AHEAD) > 0) {
            throw StatusErrors.badRequest(
                    "invalid at: %s lies in the future, the server's clock says %s"
                            .formatted(time, clock.instant()));
        }
        if (ahead.isPositive()) {
            Thread.sleep(ahead);
        }
    }
}
