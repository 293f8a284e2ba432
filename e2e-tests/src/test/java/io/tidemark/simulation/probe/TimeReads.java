package io.tidemark.simulation.probe;

import io.tidemark.serving.freshness.TimeTravel;
import io.tidemark.serving.freshness.WatermarkTracker;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.status.StatusException;
import io.tidemark.simulation.node.NodeApi;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.Violation;
import io.tidemark.view.request.RevisionAtTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Checks that a node's requests for a time show the revision of that time, and that it refuses
 * times to come and times before its history.
 */
public final class TimeReads {
    private static final Duration[] AGES = {
        Duration.ofMillis(300), Duration.ofMillis(2_500), Duration.ofDays(10_000)
    };

    private static final int BAD_REQUEST = 400;
    private static final int GONE = 410;

    private TimeReads() {}

    /**
     * The first contradiction; empty also when not all partitions answer.
     *
     * @param all the node's partitions
     */
    public static Optional<Violation> contradiction(NodeApi api, PartitionSet all) {
        PartitionSetStatus status = api.status(all);
        if (!status.ready()) {
            return Optional.empty();
        }
        ReadPoint newest =
                new ReadPoint(all, status.epoch(), status.watermark(), status.asOfMillis());
        Instant now = Instant.ofEpochMilli(status.asOfMillis());
        try (WatermarkTracker watermarks = new WatermarkTracker(api.directory())) {
            TimeTravel travel = new TimeTravel(api.view(), watermarks, InstantSource.fixed(now));
            if (revision(api, travel, all, now.plusSeconds(2)).isPresent()) {
                return violation("shows a time to come");
            }
            for (Duration age : AGES) {
                Instant then = now.minus(age);
                RevisionAtTime at = api.view().revisionAt(newest, then.toEpochMilli());
                // A time that is not settled needs a barrier.
                if (!at.settled()) {
                    continue;
                }
                Optional<Long> expected = at.revision().stream().boxed().findFirst();
                Optional<Long> shown = revision(api, travel, all, then);
                // Empty when the replica with the oldest history did not answer this once.
                if (shown.isPresent() && expected.isPresent() && !shown.equals(expected)) {
                    return violation(
                            "%s before it shows %s, not %s".formatted(age, shown, expected));
                }
            }
            return Optional.empty();
        } catch (StatusException | RevisionExpiredException _) {
            // A partition has no replica that answers, or its history was replaced.
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Empty when it is refused for its time. Without a wait: virtual time does not pass here. */
    private static Optional<Long> revision(
            NodeApi api, TimeTravel travel, PartitionSet all, Instant time)
            throws InterruptedException {
        try {
            return Optional.of(
                    travel.at(all, time, api.freshness().within(Duration.ZERO)).revision());
        } catch (StatusException e) {
            int code = e.status().code();
            if (code == BAD_REQUEST || code == GONE) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static Optional<Violation> violation(String what) {
        return Optional.of(new Violation(Promise.SNAPSHOT, "a node at a time: " + what));
    }
}
