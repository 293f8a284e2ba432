package io.tidemark.serving.read;

import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.RevisionAtTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Finds the revision for a time: the newest one that the mirror had been told of by then. Every
 * node and every set of partitions says the same, and says it again later; see {@link
 * RevisionAtTime}. For the last moments that takes a barrier first, so that what is under way is
 * not missed.
 */
public final class TimeTravel {
    /** A client's clock may be ahead by this much: so long the request waits. */
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
     * Where to read for the state as of a time.
     *
     * @throws StatusException 400 for a time to come, 410 for one that is no longer known, 504 when
     *     the time is so close that etcd would have to be asked, and cannot
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
            // That a time is too old is an answer of its own.
            throw e.replacement().orElseThrow(() -> e);
        }
    }

    private void awaitTime(Instant time) throws InterruptedException {
        Duration ahead = Duration.between(clock.instant(), time);
        if (ahead.compareTo(MAX_AHEAD) > 0) {
            throw StatusErrors.badRequest(
                    "invalid at: %s lies in the future, here it is %s"
                            .formatted(time, clock.instant()));
        }
        if (ahead.isPositive()) {
            Thread.sleep(ahead);
        }
    }
}
