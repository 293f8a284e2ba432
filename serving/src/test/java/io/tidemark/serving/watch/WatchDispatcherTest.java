package io.tidemark.serving.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.WatermarkTracker;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.FanOut;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.testing.LonePartition;
import io.tidemark.view.BridgedGap;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.Selection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A dispatcher whose turns a test makes. */
class WatchDispatcherTest {
    private static final PartitionSet BOTH = new PartitionSet(0, 2);
    private static final WatchFilter ALL =
            new WatchFilter(
                    KeyScope.prefix(Bytes.utf8("/")), Selection.ALL, WatchFilter.WITHOUT_VERSIONS);

    private final TwoPartitions partitions = new TwoPartitions();
    private final WatermarkTracker watermarks = new WatermarkTracker(partitions);
    private final List<DispatchRunner.Loop> loops = new ArrayList<>();
    private final WatchHub hub =
            new WatchHub(
                    new ClusterView(partitions, Duration.ZERO, FanOut.SEQUENTIAL),
                    watermarks,
                    new WatchLimits(10, 10, 1 << 20, 10, 1 << 20, new PageLimits(10, 1 << 20)),
                    (_, loop) -> {
                        loops.add(loop);
                        return () -> {};
                    },
                    System::nanoTime);

    /** It would spin if it only waited until the partitions are ready. */
    @Test
    void waitsForAPartitionThatHasNotReconciledAGap() throws Exception {
        partitions.second = state(50, 60);
        waitsForTheFirstPartition();
    }

    @Test
    void waitsForAPartitionInsideABridgedGap() throws Exception {
        partitions.first = state(1, 45);
        partitions.second = state(1, 60, new BridgedGap(40, 50));
        waitsForTheFirstPartition();
    }

    private void waitsForTheFirstPartition() throws InterruptedException {
        WatchCursor unused = hub.admit().watch(ALL, BOTH, 1, 40);
        DispatchRunner.Loop loop = loops.getFirst();
        assertThat(loop.turn()).isFalse();
        long began = System.nanoTime();
        loop.park();
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isGreaterThanOrEqualTo(Duration.ofMillis(500));
        partitions.first = state(50, 60);
        assertThat(loop.turn()).isTrue();
    }

    @Test
    void endsWithItsLastWatch() {
        partitions.second = state(1, 40);
        WatchCursor first = hub.admit().watch(ALL, BOTH, 1, 40);
        WatchCursor second = hub.admit().watch(ALL, BOTH, 1, 40);
        first.close();
        assertThat(loops).hasSize(1);
        assertThat(loops.getFirst().isCurrent()).isTrue();
        second.close();
        assertThat(loops.getFirst().isCurrent()).isFalse();
        WatchCursor unused = hub.admit().watch(ALL, BOTH, 1, 40);
        assertThat(loops).hasSize(2);
        assertThat(loops.getFirst().isCurrent()).isFalse();
        assertThat(loops.getLast().isCurrent()).isTrue();
    }

    private static PartitionState state(long floor, long watermark) {
        return state(floor, watermark, BridgedGap.NONE);
    }

    private static PartitionState state(long floor, long watermark, BridgedGap gap) {
        return new PartitionState(
                true, 1, 1, floor, watermark, watermark, 0, 0, 0, "http://connector", gap);
    }

    private static final class TwoPartitions extends LonePartition {
        private volatile PartitionState first = WatchDispatcherTest.state(1, 40);
        private volatile PartitionState second = PartitionState.EMPTY;
        private final LonePartition other =
                new LonePartition() {
                    @Override
                    public PartitionState state() {
                        return second;
                    }
                };

        @Override
        public int partitions() {
            return 2;
        }

        @Override
        public PartitionView view(int number) {
            return number == 0 ? this : other;
        }

        @Override
        public PartitionState state() {
            return first;
        }
    }
}
