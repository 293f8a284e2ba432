package io.tidemark.serving.freshness;

import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.request.RevisionAtTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Maps a time to a revision: the newest one that the topic held by then, by the times of tide
 * marks. Every node and every set of partitions gives the same answer, also later; see {@link
 * RevisionAtTime}. For very recent times it takes a barrier first, so that records in flight are
 * not missed.
 */
public final class TimeTravel {
    /** Of times of single revisions; the slots of the stores are of this order. */
    public static final Duration PRECISION = Duration.ofMillis(50);

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
        RevisionAtTime found = revisionAt(newest, millis);
        if (!found.settled()) {
            newest = freshness.latest(partitions);
            found = revisionAt(newest, millis);
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
    }

    /**
     * The newest revision that is known by now to be of a time or before it; may rise while the
     * time is recent. Replays ask this often: one partition answers for a settled time.
     *
     * @return 0 when the first partition has no revision of that time any more
     */
    public long revisionBy(ReadPoint newest, Instant time) throws InterruptedException {
        long millis = time.toEpochMilli();
        RevisionAtTime one = revisionAt(onePartition(newest), millis);
        RevisionAtTime all = one.settled() ? one : revisionAt(newest, millis);
        return all.revision().orElse(0);
    }

    /**
     * The time by which the mirror had a revision, so that the state at that time shows it: to the
     * slot of {@link RevisionAtTime}, and not later than now. For a revision from before the first
     * known time, that time.
     */
    public Instant timeOf(ReadPoint newest, long revision) throws InterruptedException {
        ReadPoint one = onePartition(newest);
        long after = revisionAt(one, 0).oldestMillis() - 1;
        long by = Math.max(after + 1, clock.millis());
        // Invariant: the state at `by` shows the revision, or it is now; that at `after` does not.
        while (by - after > 1) {
            long middle = after + (by - after) / 2;
            if (revisionAt(one, middle).revision().orElse(0) >= revision) {
                by = middle;
            } else {
                after = middle;
            }
        }
        return Instant.ofEpochMilli(by);
    }

    /**
     * The times of some revisions, like {@link #timeOf}, to {@link #PRECISION}.
     *
     * @param revisions in ascending order
     */
    public Map<Long, Instant> timesOf(ReadPoint newest, List<Long> revisions)
            throws InterruptedException {
        Map<Long, Instant> times = new HashMap<>();
        if (!revisions.isEmpty()) {
            ReadPoint one = onePartition(newest);
            long after = revisionAt(one, 0).oldestMillis() - 1;
            times(one, revisions, after, Math.max(after + 1, clock.millis()), times);
        }
        return times;
    }

    /** All revisions are of times after {@code after}, and not later than {@code by}. */
    private void times(
            ReadPoint one, List<Long> revisions, long after, long by, Map<Long, Instant> times)
            throws InterruptedException {
        if (revisions.isEmpty()) {
            return;
        }
        if (by - after <= PRECISION.toMillis()) {
            revisions.forEach(revision -> times.put(revision, Instant.ofEpochMilli(by)));
            return;
        }
        long middle = after + (by - after) / 2;
        long until = revisionAt(one, middle).revision().orElse(0);
        int split = 0;
        while (split < revisions.size() && revisions.get(split) <= until) {
            split++;
        }
        times(one, revisions.subList(0, split), after, middle, times);
        times(one, revisions.subList(split, revisions.size()), middle, by, times);
    }

    /** Each partition gives the same times. */
    private static ReadPoint onePartition(ReadPoint newest) {
        return new ReadPoint(
                PartitionSet.one(newest.partitions().first()),
                newest.epoch(),
                newest.revision(),
                newest.asOfMillis());
    }

    private RevisionAtTime revisionAt(ReadPoint newest, long millis) throws InterruptedException {
        try {
            return view.revisionAt(newest, millis);
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
