package io.tidemark.serving.freshness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.testing.LonePartition;
import io.tidemark.view.PartitionState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A history that begins during a wait must still reach the requested revision. */
class FreshnessTest {
    private static final PartitionSet PARTITIONS = PartitionSet.one(0);
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration SHORT_LIMIT = Duration.ofMillis(300);

    private final ScriptedPartition partition = new ScriptedPartition();
    private PartitionState afterTheBarrier = state(1, 14);

    private final Freshness freshness =
            new Freshness(
                    new WatermarkTracker(partition),
                    new Barriers(
                            _ -> {
                                partition.state = afterTheBarrier;
                                return new Barrier(1, 14);
                            },
                            () -> "http://connector"),
                    LIMIT,
                    _ -> {});

    @Test
    void servesLatestOnceTheBarrierIsReached() throws Exception {
        assertThat(freshness.latest(PARTITIONS).revision()).isEqualTo(14);
    }

    @Test
    void doesNotServeLatestFromAnOlderListOfTheNextHistory() {
        afterTheBarrier = state(2, 1);
        assertThatThrownBy(() -> freshness.within(SHORT_LIMIT).latest(PARTITIONS))
                .satisfies(FreshnessTest::is504);
    }

    @Test
    void servesLatestFromTheNextHistoryOnceItIsThere() throws Exception {
        afterTheBarrier = state(2, 15);
        ReadPoint point = freshness.latest(PARTITIONS);
        assertThat(point.epoch()).isEqualTo(2);
        assertThat(point.revision()).isEqualTo(15);
    }

    @Test
    void doesNotServeARevisionFromAnOlderOneOfTheNextHistory() {
        partition.next = state(2, 1);
        assertThatThrownBy(() -> freshness.within(SHORT_LIMIT).notOlderThan(PARTITIONS, 12, "12"))
                .satisfies(FreshnessTest::is504);
    }

    private static void is504(Throwable thrown) {
        assertThat(thrown).isInstanceOf(StatusException.class);
        assertThat(((StatusException) thrown).status().code()).isEqualTo(504);
    }

    private static PartitionState state(long epoch, long watermark) {
        return new PartitionState(
                true, epoch, 1, 1, watermark, watermark, 0, 0, 0, "http://connector");
    }

    /** One partition with given states; {@code next} is returned from the second read on. */
    private static final class ScriptedPartition extends LonePartition {
        private volatile PartitionState state = FreshnessTest.state(1, 10);
        private volatile PartitionState next = PartitionState.EMPTY;

        @Override
        public PartitionState state() {
            PartitionState shown = state;
            if (!next.equals(PartitionState.EMPTY)) {
                state = next;
            }
            return shown;
        }
    }
}
