package io.tidemark.serving.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.serving.freshness.Barriers;
import io.tidemark.serving.freshness.Freshness;
import io.tidemark.serving.freshness.WatermarkTracker;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.FanOut;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.serving.testing.MirroredCluster.Op;
import io.tidemark.serving.watch.WatchHub.Admission;
import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.view.object.Selection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Open watches and reads after etcd compacted revisions that were not read. */
class CompactionGapWatchTest {
    private static final KeyScope PODS = KeyScope.collection(Bytes.utf8("/registry/pods/"));
    private static final WatchFilter ALL =
            new WatchFilter(PODS, Selection.ALL, WatchFilter.WITHOUT_VERSIONS);

    private final MirroredCluster cluster = new MirroredCluster(2, 100);
    private final WatermarkTracker watermarks = new WatermarkTracker(cluster);
    private final ClusterView view =
            new ClusterView(cluster, Duration.ofSeconds(3), FanOut.PARALLEL);
    private final WatchHub hub =
            new WatchHub(
                    view,
                    watermarks,
                    new WatchLimits(64, 12, 1 << 20, 4, 1 << 20, new PageLimits(3, 1 << 20)));
    private final Admission admission = hub.admit();
    private final PartitionSet partitions = PartitionSet.of(PODS, 2);
    private final List<WatchCursor> open = new ArrayList<>();

    CompactionGapWatchTest() {
        watermarks.start();
    }

    @AfterEach
    void stop() {
        open.forEach(WatchCursor::close);
        admission.close();
        hub.close();
        watermarks.close();
    }

    @Test
    void endsOpenWatchesWith410AndCompactsTheirPosition() throws Exception {
        long before = cluster.pod("a", "x", Map.of());
        WatchCursor watch = watch(before);
        cluster.gap(Kind.GAP, List.of(pod("a", "x"), pod("b", "y")));
        assertThatThrownBy(() -> deliveries(watch, cluster.revision()))
                .isInstanceOfSatisfying(
                        StatusException.class, e -> assertThat(e.status().code()).isEqualTo(410));
        long floor = cluster.revision();
        WatchCursor next = watch(floor);
        cluster.pod("a", "z", Map.of());
        assertThat(deliveries(next, cluster.revision())).containsExactly("ADDED z");
    }

    /** Its client has listed at another node, which had already reconciled the gap. */
    @Test
    void keepsAWatchAtTheFloor() throws Exception {
        long before = cluster.pod("a", "x", Map.of());
        WatchCursor behind = watch(before);
        WatchCursor atFloor = watch(before + 2);
        WatchCursor ahead = watch(before + 3);
        assertThat(behind.next(System.nanoTime())).isInstanceOf(Step.NoEvents.class);
        assertThat(atFloor.next(System.nanoTime())).isInstanceOf(Step.NoEvents.class);
        assertThat(ahead.next(System.nanoTime())).isInstanceOf(Step.NoEvents.class);
        cluster.gap(Kind.GAP, List.of(pod("a", "y")));
        assertThat(cluster.revision()).isEqualTo(before + 2);
        assertThatThrownBy(() -> deliveries(behind, before + 2))
                .isInstanceOfSatisfying(
                        StatusException.class, e -> assertThat(e.status().code()).isEqualTo(410));
        cluster.pod("a", "z", Map.of());
        long last = cluster.pod("a", "later", Map.of());
        assertThat(deliveries(atFloor, last)).containsExactly("ADDED z", "ADDED later");
        assertThat(deliveries(ahead, last)).containsExactly("ADDED later");
    }

    @Test
    void sendsTheNetChangesToBridgedWatches() throws Exception {
        cluster.pod("a", "x", Map.of());
        cluster.pod("b", "gone", Map.of());
        long before = cluster.pod("b", "y", Map.of());
        WatchCursor watch = watch(before);
        cluster.gap(
                Kind.BRIDGE,
                List.of(
                        pod("b", "new"),
                        pod("a", "x"),
                        new Op(MirroredCluster.podKey("b", "gone"), at -> null)));
        cluster.pod("a", "later", Map.of());
        assertThat(deliveries(watch, cluster.revision()))
                .containsExactly("ADDED new", "MODIFIED x", "DELETED gone", "ADDED later");
    }

    @Test
    void waitsWithReadsUntilAllPartitionsHaveReconciledTheGap() throws Exception {
        cluster.pod("a", "x", Map.of());
        cluster.holdBack(1, true);
        cluster.gap(Kind.GAP, List.of(pod("a", "x")));
        Freshness freshness =
                new Freshness(
                        watermarks,
                        new Barriers(cluster, () -> ""),
                        Duration.ofSeconds(10),
                        _ -> {});
        CompletableFuture<ReadPoint> read =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return freshness.any(partitions);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
        cluster.holdBack(1, false);
        assertThat(read.get(3, TimeUnit.MINUTES).revision()).isEqualTo(cluster.revision());
    }

    private WatchCursor watch(long after) {
        WatchCursor cursor = admission.watch(ALL, partitions, 1, after);
        open.add(cursor);
        return cursor;
    }

    private static Op pod(String namespace, String name) {
        return MirroredCluster.podOp(namespace, name, Map.of(), "");
    }

    private static List<String> deliveries(WatchCursor cursor, long through) throws Exception {
        List<String> deliveries = new ArrayList<>();
        long reached = 0;
        while (reached < through) {
            switch (cursor.next(System.nanoTime() + Duration.ofSeconds(5).toNanos())) {
                case Step.Events events -> {
                    for (Delivery each : events.deliveries()) {
                        String key = each.event().change().key().toString();
                        deliveries.add(
                                each.transition().type()
                                        + " "
                                        + key.substring(key.lastIndexOf('/') + 1));
                    }
                    reached = events.throughRevision();
                }
                case Step.NoEvents quiet -> reached = quiet.throughRevision();
                case Step.Ended _ -> throw new AssertionError("ended");
            }
        }
        return deliveries;
    }
}
