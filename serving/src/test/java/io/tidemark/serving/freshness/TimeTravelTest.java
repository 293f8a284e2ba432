package io.tidemark.serving.freshness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.FanOut;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.RevisionAtRequest;
import io.tidemark.view.request.RevisionAtTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cluster is listed at 10:00:00 and changes each second. */
class TimeTravelTest {
    private static final PartitionSet ALL = new PartitionSet(0, 2);
    private static final Instant LISTED = Instant.parse("2026-11-21T10:00:00Z");

    private final MirroredCluster cluster = new MirroredCluster(2, 100);
    private final WatermarkTracker watermarks = new WatermarkTracker(cluster);
    private final ClusterView view =
            new ClusterView(cluster, Duration.ofMillis(100), FanOut.SEQUENTIAL);
    private final Freshness freshness =
            new Freshness(
                    watermarks,
                    new Barriers(cluster, () -> "http://connector"),
                    Duration.ofSeconds(30),
                    _ -> {});
    private final TimeTravel times = new TimeTravel(view, watermarks, cluster.clock());

    @BeforeEach
    void change() {
        for (int i = 0; i < 4; i++) {
            cluster.advance(Duration.ofSeconds(1));
            cluster.pod("ns-" + i, "p", Map.of());
        }
    }

    @Test
    void findsTheRevisionOfAPastTimeWithoutABarrier() throws Exception {
        assertThat(at(LISTED)).isEqualTo(new ReadPoint(ALL, 1, 100, LISTED.toEpochMilli()));
        assertThat(at(second(2)).revision()).isEqualTo(102);
        assertThat(at(second(2).plusMillis(999)).revision()).isEqualTo(102);
        assertThat(cluster.barriersTaken()).isZero();
    }

    @Test
    void takesABarrierForTheNewestTime() throws Exception {
        assertThat(at(second(4))).isEqualTo(new ReadPoint(ALL, 1, 104, second(4).toEpochMilli()));
        assertThat(cluster.barriersTaken()).isEqualTo(1);
    }

    /** The replica with the newest marks fails, and another answers by the marks that it has. */
    @Test
    void refusesTheAnswerOfAReplicaThatLags() {
        TimeTravel lagging =
                new TimeTravel(
                        viewOf(Duration.ofMillis(100), _ -> true), watermarks, cluster.clock());
        assertThatThrownBy(() -> lagging.at(ALL, second(4), freshness))
                .isInstanceOfSatisfying(
                        StatusException.class, e -> assertThat(e.status().code()).isEqualTo(503));
    }

    @Test
    void asksAgainAfterAnAnswerOfAReplicaThatLags() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        ClusterView recovering = viewOf(Duration.ofMinutes(1), _ -> asked.incrementAndGet() == 1);
        assertThat(recovering.revisionAt(freshness.any(ALL), second(4).toEpochMilli()).revision())
                .hasValue(104);
    }

    /** Where the partitions give older answers, as of revision 102, to some requests for a time. */
    private ClusterView viewOf(Duration patience, Predicate<RevisionAtRequest> lags) {
        PartitionDirectory directory =
                new PartitionDirectory() {
                    @Override
                    public int partitions() {
                        return cluster.partitions();
                    }

                    @Override
                    public PartitionView view(int partition) {
                        return new LaggingView(cluster.view(partition), lags);
                    }
                };
        return new ClusterView(directory, patience, FanOut.SEQUENTIAL);
    }

    private record LaggingView(PartitionView of, Predicate<RevisionAtRequest> lags)
            implements PartitionView {
        @Override
        public int partition() {
            return of.partition();
        }

        @Override
        public PartitionState state() {
            return of.state();
        }

        @Override
        @SuppressWarnings("unchecked") // A request is typed by its answer.
        public <T> ReadOutcome<T> read(ReadRequest<T> request) {
            return request instanceof RevisionAtRequest time && lags.test(time)
                    ? new ReadOutcome.Served<>(
                            (T) new RevisionAtTime(OptionalLong.of(102), false, 0))
                    : of.read(request);
        }

        @Override
        public Subscription onChange(Runnable listener) {
            return of.onChange(listener);
        }
    }

    @Test
    void refusesATimeBelowTheFloor() {
        assertThatThrownBy(() -> at(LISTED.minusMillis(1)))
                .isInstanceOfSatisfying(
                        StatusException.class, e -> assertThat(e.status().code()).isEqualTo(410));
    }

    @Test
    void refusesAFutureTimeUnlessClocksMayDifferByAsMuch() throws Exception {
        assertThatThrownBy(() -> at(second(5).plusMillis(1)))
                .isInstanceOfSatisfying(
                        StatusException.class, e -> assertThat(e.status().code()).isEqualTo(400));
        assertThat(at(second(5)))
                .as("a second ahead, as of the newest state")
                .isEqualTo(new ReadPoint(ALL, 1, 104, second(4).toEpochMilli()));
    }

    /** Through revisions that share a time, and others that are seconds apart. */
    @Test
    void datesRevisionsAsTheirStatesAre() throws Exception {
        for (int i = 0; i < 20; i++) {
            cluster.advance(Duration.ofMillis(i % 3 == 0 ? 0 : 130L * i));
            cluster.pod("ns-" + i % 3, "q" + i, Map.of());
        }
        cluster.advance(Duration.ofSeconds(2));
        long last = cluster.pod("ns-0", "last", Map.of());
        // Its slot of time is over.
        cluster.advance(Duration.ofSeconds(1));
        cluster.elsewhere(1);
        ReadPoint newest = freshness.any(ALL);
        List<Long> revisions = LongStream.rangeClosed(100, last).boxed().toList();
        Map<Long, Instant> dated = times.timesOf(newest, revisions);
        for (long revision : revisions) {
            Instant time = times.timeOf(newest, revision);
            assertThat(dated.get(revision))
                    .as("time of %d", revision)
                    .isBetween(time, time.plus(TimeTravel.PRECISION));
            assertThat(times.revisionBy(newest, time)).isGreaterThanOrEqualTo(revision);
            if (time.isAfter(LISTED)) {
                assertThat(times.revisionBy(newest, time.minusMillis(1))).isLessThan(revision);
            }
        }
        assertThat(times.timesOf(newest, List.of())).isEmpty();
        assertThat(times.timeOf(newest, 50)).isEqualTo(times.timeOf(newest, 100));
    }

    /** A replay asks many times a second. */
    @Test
    void asksOnePartitionForTheRevisionOfASettledTime() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        ClusterView counting =
                viewOf(
                        Duration.ofMinutes(1),
                        _ -> {
                            asked.incrementAndGet();
                            return false;
                        });
        TimeTravel counted = new TimeTravel(counting, watermarks, cluster.clock());
        ReadPoint newest = freshness.any(ALL);
        assertThat(counted.revisionBy(newest, second(2))).isEqualTo(102);
        assertThat(asked).hasValue(1);
        assertThat(counted.revisionBy(newest, LISTED.minusMillis(1))).as("expired").isZero();
    }

    /** One of them has marks that another one lacks. */
    @Test
    void asksAllPartitionsForTheRevisionOfARecentTime() throws Exception {
        for (int ahead = 0; ahead < 2; ahead++) {
            int behind = 1 - ahead;
            cluster.holdBack(behind, true);
            long before = freshness.any(ALL).revision();
            cluster.advance(Duration.ofSeconds(1));
            cluster.elsewhere(1);
            ReadPoint newest = freshness.any(ALL);
            assertThat(times.revisionBy(newest, cluster.clock().instant())).isEqualTo(before);
            cluster.holdBack(behind, false);
            assertThat(times.revisionBy(freshness.any(ALL), cluster.clock().instant()))
                    .isEqualTo(before + 1);
        }
    }

    private ReadPoint at(Instant time) throws InterruptedException {
        return times.at(ALL, time, freshness);
    }

    private static Instant second(int second) {
        return LISTED.plusSeconds(second);
    }
}
