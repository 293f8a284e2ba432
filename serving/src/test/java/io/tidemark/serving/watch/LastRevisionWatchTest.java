package io.tidemark.serving.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.WatermarkTracker;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.FanOut;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.testing.LonePartition;
import io.tidemark.serving.watch.WatchHub.Admission;
import io.tidemark.view.PartitionState;
import io.tidemark.view.object.Selection;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A watch after the last possible revision, as of a client that sends a larger number. */
class LastRevisionWatchTest {
    private static final long LAST = Long.MAX_VALUE;
    private static final long FIRST = 100;
    private static final WatchLimits LIMITS =
            new WatchLimits(64, 20, 1 << 20, 10, 1 << 20, new PageLimits(7, 1 << 20));

    /** Stops inside a revision, so that no watch becomes live. */
    private static final class StuckInsideRevision extends LonePartition {
        private static final ChangePosition INSIDE = new ChangePosition(FIRST + 1, 0);

        private final AtomicInteger lookups = new AtomicInteger();
        private final CountDownLatch stuck = new CountDownLatch(1);
        private volatile long watermark = FIRST;

        @Override
        public PartitionState state() {
            lookups.incrementAndGet();
            return new PartitionState(true, 1, 1, 1, watermark, watermark, 0, 0, 0, "");
        }

        @Override
        protected ReadOutcome<?> answer(ReadRequest<?> request) {
            if (request instanceof ChangesRequest of && of.after().compareTo(INSIDE) < 0) {
                return new ReadOutcome.Served<>(new ChangePage(List.of(), INSIDE));
            }
            stuck.countDown();
            return super.answer(request);
        }
    }

    private final StuckInsideRevision partition = new StuckInsideRevision();
    private final ClusterView view =
            new ClusterView(partition, Duration.ofSeconds(3), FanOut.PARALLEL);

    @Test
    void waitsWithoutABusyLoop() throws Exception {
        WatchFilter pods =
                new WatchFilter(
                        KeyScope.collection(Bytes.utf8("/registry/pods/")),
                        Selection.OBJECTS,
                        WatchFilter.WITHOUT_VERSIONS);
        try (WatermarkTracker watermarks = new WatermarkTracker(partition);
                WatchHub hub = new WatchHub(view, watermarks, LIMITS);
                Admission one = hub.admit();
                Admission other = hub.admit();
                WatchCursor live = one.watch(pods, PartitionSet.one(0), 1, FIRST);
                WatchCursor last = other.watch(pods, PartitionSet.one(0), 1, LAST)) {
            watermarks.start();
            await().until(() ->
                    live.next(System.nanoTime()) instanceof Step.NoEvents && live.isLive());
            partition.watermark = FIRST + 1;
            assertThat(partition.stuck.await(3, TimeUnit.MINUTES)).isTrue();
            int before = partition.lookups.get();
            Step step = last.next(System.nanoTime() + Duration.ofMillis(700).toNanos());
            assertThat(step).isEqualTo(new Step.NoEvents(ChangePosition.endOf(LAST)));
            assertThat(partition.lookups.get() - before).isLessThan(1_000);
        }
    }
}
