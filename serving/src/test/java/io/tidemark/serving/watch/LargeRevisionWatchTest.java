package io.tidemark.serving.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.WatermarkTracker;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.FanOut;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PageLimits;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One revision that is larger than a page, a mailbox and the window. */
class LargeRevisionWatchTest {
    private static final long FIRST = 100;
    private static final int PODS = 60;
    private static final int PAGE = 7;

    private static final WatchLimits LIMITS =
            new WatchLimits(64, 20, 1 << 20, 10, 1 << 20, new PageLimits(PAGE, 1 << 20));

    private final MirroredCluster cluster = new MirroredCluster(3, FIRST);
    private final WatermarkTracker watermarks = new WatermarkTracker(cluster);
    private final ClusterView view =
            new ClusterView(cluster, Duration.ofSeconds(3), FanOut.PARALLEL);
    private final WatchHub hub = new WatchHub(view, watermarks, LIMITS);

    LargeRevisionWatchTest() {
        watermarks.start();
    }

    @AfterEach
    void stop() {
        hub.close();
        watermarks.close();
    }

    private static WatchFilter pods() {
        return in(KeyScope.collection(Bytes.utf8("/registry/pods/")));
    }

    private static WatchFilter in(KeyScope scope) {
        return new WatchFilter(scope, Selection.OBJECTS, WatchFilter.WITHOUT_VERSIONS);
    }

    /** Deletes all pods of some namespaces at one revision and returns it. */
    private long deleteAll() {
        List<Op> puts =
                names().map(name -> MirroredCluster.podOp(namespace(name), name, Map.of(), ""))
                        .toList();
        puts.forEach(put -> cluster.txn(List.of(put)));
        return cluster.txn(
                puts.stream().map(put -> new Op(put.key(), _ -> (String) null)).toList());
    }

    private static Stream<String> names() {
        return IntStream.range(0, PODS).mapToObj("p%03d"::formatted);
    }

    private static String namespace(String pod) {
        return "ns" + Integer.parseInt(pod.substring(1)) % 4;
    }

    private WatchCursor watch(Admission admission, WatchFilter filter, long after) {
        return admission.watch(filter, watermarks.partitionsOf(filter.scope()), 1, after);
    }

    /** For a step that may be without events: the watch then waits until this time. */
    private static long soon() {
        return in(Duration.ofSeconds(5));
    }

    /** For a step with events: longer than a machine under load takes. */
    private static long late() {
        return in(Duration.ofMinutes(3));
    }

    private static long in(Duration duration) {
        return System.nanoTime() + duration.toNanos();
    }

    /** Reads events through a revision; checks that no step is larger than the pages. */
    private static List<String> readThrough(WatchCursor cursor, long revision) throws Exception {
        List<String> keys = new ArrayList<>();
        long through = 0;
        while (through < revision) {
            switch (cursor.next(soon())) {
                case Step.Events events -> {
                    assertThat(events.deliveries()).hasSizeLessThanOrEqualTo(3 * PAGE);
                    events.deliveries().forEach(each -> keys.add(each.revision() + lastOf(each)));
                    through = events.throughRevision();
                }
                case Step.NoEvents quiet -> through = quiet.throughRevision();
                case Step.Ended _ -> throw new AssertionError("ended");
            }
        }
        return keys;
    }

    private static String lastOf(Delivery delivery) {
        String key = delivery.event().change().key().utf8();
        return key.substring(key.lastIndexOf('/'));
    }

    @Test
    void deliversItOnceAndInOrderToEveryWatch() throws Exception {
        try (Admission behind = hub.admit();
                Admission live = hub.admit();
                Admission other = hub.admit();
                WatchCursor liveCursor = watch(live, pods(), FIRST);
                WatchCursor otherCursor =
                        watch(
                                other,
                                in(KeyScope.directory(Bytes.utf8("/registry/pods/x/"))),
                                FIRST)) {
            cluster.pod("x", "one", Map.of());
            assertThat(liveCursor.next(late())).isInstanceOf(Step.Events.class);
            assertThat(otherCursor.next(late())).isInstanceOf(Step.Events.class);
            long revision = deleteAll();
            List<String> deleted = names().map(name -> revision + "/" + name).toList();
            try (WatchCursor behindCursor = watch(behind, pods(), revision - 1)) {
                assertThat(readThrough(behindCursor, revision)).isEqualTo(deleted);
            }
            assertThat(readThrough(liveCursor, revision)).endsWith(deleted.toArray(String[]::new));
            assertThat(readThrough(otherCursor, revision)).isEmpty();
            cluster.pod("x", "two", Map.of());
            assertThat(readThrough(liveCursor, revision + 1)).hasSize(1);
            assertThat(readThrough(otherCursor, revision + 1)).hasSize(1);
        }
        assertThat(hub.laggingWatches()).isZero();
        assertThat(hub.catchUpBytes()).isZero();
    }

    @Test
    void deliversTheRestBeforeADrainedWatchEnds() throws Exception {
        long revision = deleteAll();
        try (Admission admission = hub.admit();
                WatchCursor cursor = watch(admission, pods(), revision - 1)) {
            Step.Events first = (Step.Events) cursor.next(soon());
            assertThat(first.isWhole()).isFalse();
            assertThat(first.throughRevision()).isEqualTo(revision - 1);
            hub.drain(Duration.ZERO);
            assertThat(admission.ending()).isTrue();
            int events = first.deliveries().size();
            Step step = cursor.next(soon());
            while (step instanceof Step.Events more && !more.isWhole()) {
                events += more.deliveries().size();
                step = cursor.next(soon());
            }
            assertThat(events + ((Step.Events) step).deliveries().size()).isEqualTo(PODS);
            assertThat(cursor.next(soon())).isInstanceOf(Step.NoEvents.class);
        }
    }

    @Test
    void reportsAnIncompleteRevisionOnClose() throws Exception {
        long revision = deleteAll();
        try (Admission admission = hub.admit();
                WatchCursor cursor = watch(admission, pods(), revision - 1)) {
            assertThat(((Step.Events) cursor.next(soon())).isWhole()).isFalse();
            hub.close();
            assertThatThrownBy(() -> cursor.next(soon()))
                    .isInstanceOfSatisfying(
                            StatusException.class,
                            e -> assertThat(e.status().code()).isEqualTo(410))
                    .hasMessageContaining("inside revision " + revision);
        }
    }
}
