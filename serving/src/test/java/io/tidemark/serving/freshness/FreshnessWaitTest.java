package io.tidemark.serving.freshness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.testing.LonePartition;
import io.tidemark.view.PartitionState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Every wait in virtual time. */
class FreshnessWaitTest {
    private static final PartitionSet PARTITIONS = PartitionSet.one(0);
    private static final Duration LIMIT = Duration.ofSeconds(3);

    private static final long PAUSES = Duration.ofMillis(200).toNanos();

    private PartitionState state = PartitionState.EMPTY;
    private long now;
    private final List<CompletableFuture<Barrier>> asked = new ArrayList<>();
    private final Freshness freshness =
            new Freshness(
                    new WatermarkTracker(
                            new LonePartition() {
                                @Override
                                public PartitionState state() {
                                    return state;
                                }
                            }),
                    new Barriers(
                            new BarrierSource() {
                                @Override
                                public CompletableFuture<Barrier> begin(String connector) {
                                    asked.add(new CompletableFuture<>());
                                    return asked.getLast();
                                }

                                @Override
                                public Barrier take(String connector) {
                                    throw new UnsupportedOperationException();
                                }
                            },
                            () -> "http://connector"),
                    LIMIT,
                    _ -> {},
                    () -> now);

    @Test
    void waitsForAReplicaThenForTheBarrierThenForItsRevision() {
        FreshnessWait wait = begin(new RequestedState.Latest());
        assertThat(wait.poll()).isEmpty();
        assertThat(asked).isEmpty();
        state = at(10);
        assertThat(wait.poll()).isEmpty();
        asked.getFirst().complete(new Barrier(1, 14));
        assertThat(wait.poll()).isEmpty();
        state = at(15);
        assertThat(wait.poll()).hasValueSatisfying(p -> assertThat(p.revision()).isEqualTo(15));
    }

    @Test
    void doesNotShareABarrierThatBeganBefore() {
        state = at(10);
        assertThat(begin(new RequestedState.Latest()).poll()).isEmpty();
        FreshnessWait later = begin(new RequestedState.Latest());
        assertThat(later.poll()).isEmpty();
        asked.getFirst().complete(new Barrier(1, 9));
        assertThat(later.poll()).isEmpty();
        assertThat(asked).hasSize(2);
        asked.getLast().complete(new Barrier(1, 10));
        assertThat(later.poll()).isPresent();
    }

    @Test
    void asksAgainAfterAFailureUntilItsTimeIsOver() {
        state = at(10);
        FreshnessWait wait = begin(new RequestedState.Latest());
        StatusException refused = null;
        while (refused == null) {
            try {
                assertThat(wait.poll()).isEmpty();
            } catch (StatusException e) {
                refused = e;
            }
            var _ = asked.getLast().completeExceptionally(new IOException("etcd is away"));
            now += Duration.ofMillis(50).toNanos();
        }
        assertThat(now).isBetween(LIMIT.toNanos() - PAUSES, LIMIT.toNanos() + PAUSES);
        assertThat(asked).hasSizeGreaterThan(10);
        assertThat(refused.status().code()).isEqualTo(504);
    }

    @Test
    void showsExactlyTheRequestedRevision() {
        state = at(10);
        FreshnessWait wait = begin(new RequestedState.Exactly(12, "12"));
        assertThat(wait.poll()).isEmpty();
        state = at(15);
        assertThat(wait.poll()).hasValueSatisfying(p -> assertThat(p.revision()).isEqualTo(12));
    }

    @Test
    void waitsForTheEpochThatAListContinuesIn() {
        state = at(1, 30);
        FreshnessWait wait = begin(new RequestedState.Continued(2, 12));
        assertThat(wait.poll()).isEmpty();
        state = at(2, 15);
        assertThat(wait.poll())
                .hasValueSatisfying(p -> {
                    assertThat(p.epoch()).isEqualTo(2);
                    assertThat(p.revision()).isEqualTo(12);
                });
    }

    @Test
    void showsALaterEpochThanAListContinuesInAtOnce() {
        state = at(3, 5);
        assertThat(begin(new RequestedState.Continued(2, 12)).poll())
                .hasValueSatisfying(p -> {
                    assertThat(p.epoch()).isEqualTo(3);
                    assertThat(p.revision()).as("the epoch has no revision 12").isEqualTo(5);
                });
    }

    /** Found by the simulation, seed 1109947: etcd was set back while a gap was reconciled. */
    @Test
    void waitsForTheRevisionInAHistoryThatBeginsWhileAGapIsReconciled() {
        state = unsettled(12, 10);
        FreshnessWait wait = begin(new RequestedState.NotOlderThan(5, "5"));
        FreshnessWait late = begin(new RequestedState.NotOlderThan(5, "5"));
        assertThat(wait.poll()).isEmpty();
        assertThat(late.poll()).isEmpty();
        state = at(2, 1);
        assertThat(wait.poll()).isEmpty();
        state = at(2, 7);
        assertThat(wait.poll()).hasValueSatisfying(p -> assertThat(p.revision()).isEqualTo(7));
        state = at(2, 1);
        now = LIMIT.toNanos();
        assertThatThrownBy(late::poll).isInstanceOf(StatusException.class);
    }

    /** A read at the watermark would be refused as too old, which it is not. */
    @Test
    void timesOutWhenTheGapIsNotReconciledEverywhere() {
        state = unsettled(12, 10);
        FreshnessWait wait = begin(new RequestedState.Any());
        assertThat(wait.poll()).isEmpty();
        now = LIMIT.toNanos();
        assertThatThrownBy(wait::poll)
                .isInstanceOfSatisfying(
                        StatusException.class, e -> assertThat(e.status().code()).isEqualTo(504));
    }

    /** One replica after the other takes the late changes of a gap. */
    @Test
    void waitsOnWhenAnotherPartitionsFloorRisesMeanwhile() {
        state = unsettled(12, 10);
        FreshnessWait wait = begin(new RequestedState.Any());
        assertThat(wait.poll()).isEmpty();
        state = unsettled(15, 13);
        assertThat(wait.poll()).isEmpty();
        state = unsettled(15, 15);
        assertThat(wait.poll()).hasValueSatisfying(p -> assertThat(p.revision()).isEqualTo(15));
    }

    @Test
    void refusesWhenTheRevisionDoesNotArriveInTime() {
        state = at(10);
        FreshnessWait wait = begin(new RequestedState.NotOlderThan(12, "12"));
        now = LIMIT.toNanos() - 1;
        assertThat(wait.poll()).isEmpty();
        now++;
        assertThatThrownBy(wait::poll).isInstanceOf(StatusException.class);
    }

    @Test
    void anotherWaitOfARequestHasTheRestOfItsTime() {
        state = at(10);
        FreshnessWait wait =
                freshness.begin(
                        PARTITIONS,
                        new RequestedState.NotOlderThan(12, "12"),
                        Duration.ofSeconds(2));
        now = Duration.ofSeconds(1).toNanos() - 1;
        assertThat(wait.poll()).isEmpty();
        now++;
        assertThatThrownBy(wait::poll).isInstanceOf(StatusException.class);
    }

    @Test
    void waitsForTheRevisionThroughSeveralNewHistories() {
        state = at(1, 10);
        FreshnessWait wait = begin(new RequestedState.NotOlderThan(12, "12"));
        assertThat(wait.poll()).isEmpty();
        state = at(2, 1);
        assertThat(wait.poll()).isEmpty();
        state = at(3, 1);
        assertThat(wait.poll()).isEmpty();
        state = at(3, 12);
        assertThat(wait.poll()).hasValueSatisfying(p -> assertThat(p.epoch()).isEqualTo(3));
    }

    private FreshnessWait begin(RequestedState requested) {
        return freshness.begin(PARTITIONS, requested);
    }

    private static PartitionState unsettled(long floor, long watermark) {
        return new PartitionState(
                true, 1, 1, floor, watermark, watermark, 0, 0, 0, "http://connector");
    }

    private static PartitionState at(long watermark) {
        return at(1, watermark);
    }

    private static PartitionState at(long epoch, long watermark) {
        return new PartitionState(
                true, epoch, 1, 1, watermark, watermark, 0, 0, 0, "http://connector");
    }
}
