package io.tidemark.serving.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.serving.status.StatusException;
import io.tidemark.view.BridgedGap;
import io.tidemark.view.PartitionState;
import org.junit.jupiter.api.Test;

class PartitionSetStatusTest {
    private static final PartitionState FIRST = state(2, 10, 30, 500, 1, "first");
    private static final PartitionState LAGGING = state(2, 20, 25, 400, 2, "lagging");
    private static final PartitionState NEWEST = state(2, 15, 31, 600, 4, "newest");

    @Test
    void readsAtTheLowestWatermarkAndTheHighestFloor() {
        assertThat(status(FIRST, LAGGING, NEWEST))
                .isEqualTo(new PartitionSetStatus(-1, true, 2, 1, 20, 20, 25, 400, 7, "newest"));
    }

    @Test
    void isNotReadyWithAPartitionOfAnotherHistory() {
        PartitionSetStatus status = status(FIRST, state(1, 10, 30, 500, 0, ""), NEWEST);
        assertThat(status.ready()).isFalse();
        assertThat(status.epoch()).isEqualTo(1);
        assertThat(refused(status)).isEqualTo(429);
    }

    @Test
    void isNotReadyWithAnUnreadablePartition() {
        PartitionState unreadable = new PartitionState(false, 2, 1, 10, 30, 30, 0, 500, 0, "");
        PartitionSetStatus status = status(FIRST, unreadable, NEWEST);
        assertThat(status.ready()).isFalse();
        assertThat(status.missingPartition()).isEqualTo(-1);
        assertThat(refused(status)).isEqualTo(429);
    }

    @Test
    void namesAPartitionWithoutReplica() {
        PartitionSetStatus status = status(PartitionState.EMPTY, FIRST, NEWEST);
        assertThat(status.missingPartition()).isEqualTo(1);
        assertThat(refused(status)).isEqualTo(503);
    }

    @Test
    void hasACommonRevisionUnlessAFloorIsAboveAWatermark() {
        assertThat(status(FIRST, FIRST, state(2, 30, 40, 0, 0, "")).hasCommonRevision()).isTrue();
        assertThat(status(FIRST, FIRST, state(2, 31, 40, 0, 0, "")).hasCommonRevision()).isFalse();
    }

    @Test
    void hasNoCommonRevisionInsideAGapThatSomeHaveBridged() {
        PartitionState bridged = state(2, 10, 40, 0, 0, "").with(new BridgedGap(20, 40));
        PartitionSetStatus inside = status(FIRST, bridged, bridged);
        assertThat(inside.hasCommonRevision()).isFalse();
        assertThat(inside.floor()).isEqualTo(10);
        assertThat(inside.settledFrom()).isEqualTo(40);
        assertThat(status(state(2, 10, 20, 0, 0, ""), bridged, bridged).hasCommonRevision())
                .as("before it")
                .isTrue();
        assertThat(status(bridged, bridged, bridged).hasCommonRevision()).as("after it").isTrue();
    }

    @Test
    void hasReachedARevisionOfItsHistoryAndAnyOfAnEarlierOne() {
        PartitionSetStatus status = status(FIRST, FIRST, FIRST);
        assertThat(status.reached(2, 30)).isTrue();
        assertThat(status.reached(2, 31)).isFalse();
        assertThat(status.reached(1, 1_000)).isTrue();
        assertThat(status.reached(3, 1)).isFalse();
        assertThat(status(PartitionState.EMPTY, FIRST, FIRST).reached(0, 0)).isFalse();
        assertThat(status.orThrow()).isEqualTo(status);
    }

    private static int refused(PartitionSetStatus status) {
        StatusException[] thrown = new StatusException[1];
        assertThatThrownBy(status::orThrow)
                .isInstanceOfSatisfying(StatusException.class, e -> thrown[0] = e);
        return thrown[0].status().code();
    }

    /** Of the partitions 1 to 3. */
    private static PartitionSetStatus status(PartitionState... states) {
        PartitionState other = state(9, 99, 0, 0, 9, "other");
        return PartitionSetStatus.of(
                new PartitionSet(1, 4),
                new PartitionState[] {other, states[0], states[1], states[2]});
    }

    private static PartitionState state(
            long epoch, long floor, long watermark, long millis, long unreadable, String from) {
        return new PartitionState(
                true, epoch, 1, floor, watermark, watermark, 0, millis, unreadable, from);
    }
}
