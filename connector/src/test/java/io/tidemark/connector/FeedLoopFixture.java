package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.connector.feed.FeedStateMachine;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.value.ChangeBuilder;
import io.tidemark.connector.value.KubernetesKeys;
import io.tidemark.connector.value.ParallelMap;
import io.tidemark.connector.value.ValueDecoder;
import io.tidemark.connector.value.ValueReader;
import io.tidemark.etcd.KeyValue;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Feed loops between an in-memory etcd and an in-memory topic. */
final class FeedLoopFixture {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Bytes PREFIX = Bytes.utf8("/k/");

    /** Marks of an idle etcd come with the longest delay of a commit. */
    private static final FeedTiming TIMING =
            new FeedTiming(
                    Duration.ofSeconds(1),
                    FeedTiming.DEFAULT.retries(),
                    FeedTiming.DEFAULT.pageRetry());

    private final FakeEtcd etcd = new FakeEtcd();
    private final FakeTopic topic = new FakeTopic();
    private final ParallelMap parallel = new ParallelMap(1);
    private final List<FeedLoop> loops = new ArrayList<>();

    FakeEtcd etcd() {
        return etcd;
    }

    FakeTopic topic() {
        return topic;
    }

    void stopLoops() throws InterruptedException {
        for (FeedLoop loop : loops) {
            loop.stop();
            assertThat(loop.awaitEnd(SOON)).isTrue();
        }
    }

    void close() throws InterruptedException {
        stopLoops();
        parallel.close();
    }

    void await(Callable<Boolean> condition) {
        Awaitility.await().until(condition);
    }

    void awaitEpoch(long epoch) {
        await(() -> topic.committed().getLast().epoch() == epoch);
    }

    FeedLoop start(long backfill) {
        return start(backfill, FeedRuntime.ofSystem());
    }

    FeedLoop start(long backfill, FeedRuntime runtime) {
        FeedLoop loop = loop(backfill, new ConnectorMetrics(new SimpleMeterRegistry()), runtime);
        loops.add(loop);
        Thread _ = Thread.ofVirtual().start(loop);
        return loop;
    }

    /** A loop that has not started; the caller ends it. */
    FeedLoop loop(long backfill, ConnectorMetrics metrics) {
        return loop(backfill, metrics, FeedRuntime.ofSystem());
    }

    private FeedLoop loop(long backfill, ConnectorMetrics metrics, FeedRuntime runtime) {
        KubernetesKeys keys = new KubernetesKeys(PREFIX);
        ChangeBuilder builder =
                new ChangeBuilder(
                        keys, new ValueReader(keys, ValueDecoder.NONE), parallel, false, 1 << 20);
        return new FeedLoop(
                new FeedStateMachine(PREFIX, backfill),
                etcd,
                new FeedEffects(
                        etcd, topic.writer(), builder, "http://x", metrics, TIMING, runtime),
                metrics);
    }

    void awaitMirrored() {
        long revision = etcd.revision();
        await(() -> {
            List<Change> log = topic.committed();
            return !log.isEmpty() && log.getLast().revision() >= revision;
        });
    }

    List<Long> progressTimes() {
        return markTimes(Kind.PROGRESS);
    }

    List<Long> listTimes() {
        return markTimes(Kind.LIST_BEGIN, Kind.LIST_END);
    }

    private List<Long> markTimes(Kind... kinds) {
        return topic.committed().stream()
                .filter(Change.TideMark.class::isInstance)
                .map(Change.TideMark.class::cast)
                .filter(mark -> List.of(kinds).contains(mark.kind()))
                .map(Change.TideMark::timeMillis)
                .toList();
    }

    List<Kind> kinds() {
        return topic.committed().stream()
                .filter(Change.TideMark.class::isInstance)
                .map(change -> ((Change.TideMark) change).kind())
                .toList();
    }

    /**
     * Waits; then the committed log yields etcd's state, and has every change once per epoch, in
     * order.
     */
    void assertMirrors() {
        awaitMirrored();
        Map<Bytes, Long> state = new TreeMap<>();
        Set<String> places = new HashSet<>();
        long last = 0;
        long epoch = 0;
        long inGap = 0;
        for (Change change : topic.committed()) {
            assertThat(change.epoch()).isGreaterThanOrEqualTo(epoch);
            last = change.epoch() > epoch ? 0 : last;
            epoch = change.epoch();
            switch (change) {
                case Change.Put put -> {
                    state.put(put.key(), put.revision());
                    if (put.listed() && put.index() >= Change.GAP_INDEX) {
                        inGap = Math.max(inGap, put.revision());
                    } else if (!put.listed()) {
                        assertThat(put.revision()).isGreaterThanOrEqualTo(last);
                        last = put.revision();
                        String place = epoch + "/" + put.revision() + "/" + put.index();
                        assertThat(places.add(place)).as("twice: " + place).isTrue();
                    }
                }
                case Change.Delete delete -> state.remove(delete.key());
                case Change.TideMark mark -> {
                    assertThat(mark.revision())
                            .as("a mark is never below the changes before it")
                            .isGreaterThanOrEqualTo(Math.max(last, inGap));
                    last = mark.kind() == Kind.GAP ? mark.revision() : last;
                    inGap = 0;
                }
            }
        }
        Map<Bytes, Long> expected = new TreeMap<>();
        for (KeyValue kv : etcd.state(etcd.revision()).values()) {
            if (kv.key().startsWith(PREFIX)) {
                expected.put(kv.key(), kv.modRevision());
            }
        }
        assertThat(state).isEqualTo(expected);
    }

    void awaitMarkedAgain() {
        int marks = topic.committed().size();
        long revision = topic.committed().getLast().revision();
        await(() -> topic.committed().size() > marks + 1);
        assertThat(topic.committed().getLast().revision()).isEqualTo(revision);
    }
}
