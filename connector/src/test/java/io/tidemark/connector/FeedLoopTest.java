package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.connector.feed.FeedState;
import io.tidemark.connector.feed.FeedStateMachine;
import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.sink.ChangeSink;
import io.tidemark.connector.value.ChangeBuilder;
import io.tidemark.connector.value.KubernetesKeys;
import io.tidemark.connector.value.ParallelMap;
import io.tidemark.connector.value.ValueDecoder;
import io.tidemark.connector.value.ValueReader;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.ProgressSupport;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The feed loop between an in-memory etcd and an in-memory topic, both of which fail. */
class FeedLoopTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Bytes PREFIX = Bytes.utf8("/k/");

    private final FakeTopic topic = new FakeTopic();
    private final ParallelMap parallel = new ParallelMap(1);
    private final List<FeedLoop> loops = new ArrayList<>();

    @AfterEach
    void stopLoops() throws Exception {
        for (FeedLoop loop : loops) {
            loop.stop();
            assertThat(loop.awaitEnd(SOON)).isTrue();
        }
        parallel.close();
    }

    @Test
    void listsInOneTransactionAndFollows() {
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.MANUAL);
        for (int i = 0; i < 10; i++) {
            etcd.put("/k/" + i);
        }
        start(etcd, 0);
        etcd.put("/k/3", "/k/later", "/elsewhere");
        etcd.delete("/k/4");
        awaitMirrored(etcd);
        assertMirrors(etcd);
        assertThat(etcd.lists()).as("pages").isEqualTo(4);
    }

    @Test
    void marksRevisionsOutsideThePrefix() {
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.MANUAL);
        start(etcd, 0);
        etcd.put("/elsewhere");
        awaitMirrored(etcd);
    }

    @Test
    void marksWrittenDuringCatchUpHaveNoKnownTime() {
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.MANUAL);
        etcd.put("/k/a");
        etcd.put("/k/b");
        etcd.put("/k/c");
        long began = System.currentTimeMillis();
        start(etcd, 100);
        awaitMirrored(etcd);
        await().atMost(SOON).until(() -> progressTimes().getLast() >= began);
        assertThat(progressTimes().getFirst()).isEqualTo(FeedEffects.UNKNOWN_TIME);
    }

    @Test
    void aListIsAsOfTheEtcdCheckBeforeIt() {
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.MANUAL);
        etcd.put("/k/a");
        AtomicLong listing = new AtomicLong();
        etcd.beforeList(() -> {
            long now = System.currentTimeMillis();
            while (System.currentTimeMillis() == now) {
                Thread.onSpinWait();
            }
            listing.compareAndSet(0, System.currentTimeMillis());
        });
        long began = System.currentTimeMillis();
        start(etcd, 0);
        awaitMirrored(etcd);
        assertThat(listTimes()).hasSize(2).allMatch(time -> time >= began && time < listing.get());
    }

    @Test
    void aListAtAnOldRevisionHasNoKnownTime() {
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.MANUAL);
        etcd.put("/k/a");
        etcd.put("/k/b");
        start(etcd, 100);
        awaitMirrored(etcd);
        assertThat(listTimes()).hasSize(2).containsOnly(FeedEffects.UNKNOWN_TIME);
    }

    @Test
    void marksAnIdleEtcdWithoutProgressRequests() {
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.PERIODIC);
        start(etcd, 0);
        etcd.put("/k/a");
        awaitMirrored(etcd);
        int marks = topic.committed().size();
        await().atMost(SOON).until(() -> topic.committed().size() > marks);
        assertThat(topic.committed().getLast().revision()).isEqualTo(etcd.revision());
    }

    @Test
    void marksAnIdleEtcdAfterARestartAndATakeover() throws Exception {
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.MANUAL);
        etcd.put("/k/a");
        start(etcd, 0);
        awaitMirrored(etcd);
        stopLoops();
        start(etcd, 0);
        awaitMarkedAgain();
        start(etcd, 0);
        awaitMarkedAgain();
        assertMirrors(etcd);
    }

    @Test
    void keepsASilentWatchWhileEtcdIsIdle() {
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.MANUAL);
        etcd.put("/k/a");
        FeedLoop loop = start(etcd, 0);
        awaitMirrored(etcd);
        etcd.tellsProgress(false);
        long before = System.currentTimeMillis();
        awaitMarkedAgain();
        awaitMarkedAgain();
        assertThat(progressTimes().getLast()).isGreaterThanOrEqualTo(before);
        assertThat(loop.state()).isInstanceOf(FeedState.Following.class);
        etcd.put("/k/b");
        awaitMirrored(etcd);
        assertMirrors(etcd);
    }

    private void awaitMarkedAgain() {
        int marks = topic.committed().size();
        long revision = topic.committed().getLast().revision();
        await().atMost(SOON).until(() -> topic.committed().size() > marks + 1);
        assertThat(topic.committed().getLast().revision()).isEqualTo(revision);
    }

    @Test
    void aListOvertakenByCompactionStartsOver() {
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.MANUAL);
        for (int i = 0; i < 10; i++) {
            etcd.put("/k/" + i);
        }
        AtomicBoolean once = new AtomicBoolean();
        etcd.beforeList(() -> {
            if (etcd.lists() == 2 && once.compareAndSet(false, true)) {
                etcd.delete("/k/0");
                etcd.compact(etcd.revision());
            }
        });
        start(etcd, 0);
        awaitMirrored(etcd);
        assertMirrors(etcd);
        assertThat(kinds()).containsSubsequence(Kind.LIST_BEGIN, Kind.LIST_END);
        assertThat(kinds().stream().filter(Kind.LIST_BEGIN::equals)).hasSize(1);
    }

    @Test
    void keepsTheEpochAfterCompactionAndBeginsOneForAnotherClusterWithoutStaleKeys() {
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.MANUAL);
        etcd.put("/k/a", "/k/b");
        FeedLoop loop = start(etcd, 0);
        awaitMirrored(etcd);
        etcd.reachable(false);
        await().atMost(SOON).until(() -> loop.state() instanceof FeedState.Waiting);
        etcd.delete("/k/a");
        etcd.put("/k/c");
        etcd.compact(etcd.revision());
        etcd.reachable(true);
        awaitMirrored(etcd);
        assertMirrors(etcd);
        assertThat(topic.committed().getLast().epoch()).isEqualTo(1);
        assertThat(kinds()).containsOnlyOnce(Kind.GAP);
        assertThat(topic.committed().stream().filter(isPutOf("/k/b")))
                .as("unchanged keys are not written again")
                .hasSize(1);

        etcd.replace(2);
        etcd.put("/k/new");
        await().atMost(SOON).until(() -> topic.committed().getLast().epoch() == 2);
        awaitMirrored(etcd);
        assertMirrors(etcd);
    }

    private static Predicate<Change> isPutOf(String name) {
        return change -> change instanceof Change.Put put && put.key().equals(Bytes.utf8(name));
    }

    @Test
    void detectsARecreatedEtcdThatHasPassedTheMirroredRevision() {
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.MANUAL);
        etcd.put("/k/a");
        etcd.put("/k/b");
        start(etcd, 0);
        awaitMirrored(etcd);
        synchronized (etcd) {
            etcd.replace(1);
            for (int i = 0; i < 5; i++) {
                etcd.put("/k/b");
            }
        }
        await().atMost(SOON).until(() -> topic.committed().getLast().epoch() == 2);
        awaitMirrored(etcd);
        assertMirrors(etcd);
    }

    @Test
    void detectsARestoredEtcdByItsListWhenFingerprintsAreCompacted() {
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.MANUAL);
        etcd.put("/k/a");
        etcd.put("/k/b");
        FeedLoop loop = start(etcd, 0);
        awaitMirrored(etcd);
        etcd.reachable(false);
        await().atMost(SOON).until(() -> loop.state() instanceof FeedState.Waiting);
        synchronized (etcd) {
            etcd.replace(1);
            etcd.put("/k/b");
            etcd.put("/elsewhere");
            etcd.put("/k/c");
            etcd.put("/k/c");
            etcd.compact(etcd.revision());
            etcd.reachable(true);
        }
        await().atMost(SOON).until(() -> topic.committed().getLast().epoch() == 2);
        awaitMirrored(etcd);
        assertMirrors(etcd);
    }

    @Test
    void commitsNothingBelowAbortedMarks() throws Exception {
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.MANUAL);
        etcd.put("/k/a");
        start(etcd, 0);
        awaitMirrored(etcd);
        stopLoops();
        long listed = topic.committed().getLast().revision();
        ChangeSink lost = topic.writer();
        lost.open();
        lost.mark(new Change.TideMark(1, listed + 3, Kind.PROGRESS, 1, "http://x"));
        lost.abort();
        etcd.put("/k/b");
        etcd.put("/k/c");
        etcd.put("/k/d");
        start(etcd, 0);
        awaitMirrored(etcd);
        assertMirrors(etcd);
        // A batch of changes is committed with its mark: none of those may be lower.
        assertThat(topic.commits()).allMatch(last -> last <= listed || last >= listed + 3);
    }

    @Test
    void commitsOnlyAtOrAboveTheHighestRevisionThatReadersMayHaveSeen() {
        HistoryFingerprint fingerprint = new HistoryFingerprint();
        assertThat(fingerprint.allowCommit(0)).isTrue();
        fingerprint.observe(50);
        assertThat(fingerprint.allowCommit(49)).isFalse();
        assertThat(fingerprint.allowCommit(50)).isTrue();
    }

    @Test
    void aSecondLoopTakesOverAndTheFirstStops() {
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.MANUAL);
        FeedLoop first = start(etcd, 0);
        awaitMirrored(etcd);
        start(etcd, 0);
        await().atMost(SOON).until(() -> first.state() instanceof FeedState.Stopped);
        etcd.put("/k/a");
        awaitMirrored(etcd);
        assertMirrors(etcd);
    }

    @Test
    void marksARevisionInPartsOnceItIsComplete() {
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.MANUAL);
        start(etcd, 0);
        awaitMirrored(etcd);
        String[] keys = IntStream.range(0, 100).mapToObj(n -> "/k/" + n).toArray(String[]::new);
        etcd.put(keys);
        awaitMirrored(etcd);
        assertMirrors(etcd);
        List<Integer> indexes =
                topic.committed().stream()
                        .filter(change -> change instanceof Change.Put put && !put.listed())
                        .map(change -> ((Change.Put) change).index())
                        .toList();
        assertThat(indexes).isEqualTo(IntStream.range(0, 100).boxed().toList());
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16})
    void mirrorConvergesAfterRandomFaults(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FakeEtcd etcd = new FakeEtcd(ProgressSupport.MANUAL);
        topic.failing(random.split());
        start(etcd, 1_000);
        for (int round = 0; round < 12; round++) {
            for (int i = 0; i < 50; i++) {
                String key = "/k/" + random.nextInt(30);
                switch (random.nextInt(9)) {
                    case 8 ->
                            etcd.put(
                                    IntStream.range(0, random.nextInt(2, 14))
                                            .mapToObj(n -> "/k/large" + n)
                                            .toArray(String[]::new));
                    case 0 -> etcd.delete(key);
                    case 1 -> etcd.put(key, "/k/with" + random.nextInt(5), "/elsewhere");
                    default -> etcd.put(key);
                }
            }
            switch (random.nextInt(5)) {
                case 0 -> etcd.reachable(false);
                case 1 -> etcd.compact(etcd.revision() - random.nextInt(20));
                default -> etcd.reachable(true);
            }
        }
        etcd.reachable(true);
        topic.failing(null);
        awaitMirrored(etcd);
        assertMirrors(etcd);
    }

    private FeedLoop start(FakeEtcd etcd, long backfill) {
        ConnectorMetrics metrics = new ConnectorMetrics(new SimpleMeterRegistry());
        KubernetesKeys keys = new KubernetesKeys(PREFIX);
        ChangeBuilder builder =
                new ChangeBuilder(
                        keys, new ValueReader(keys, ValueDecoder.NONE), parallel, false, 1 << 20);
        FeedLoop loop =
                new FeedLoop(
                        new FeedStateMachine(PREFIX, backfill),
                        etcd,
                        pause ->
                                new FeedEffects(
                                        etcd, topic.writer(), builder, "http://x", metrics, pause),
                        metrics);
        loops.add(loop);
        Thread _ = Thread.ofVirtual().start(loop);
        return loop;
    }

    private void awaitMirrored(FakeEtcd etcd) {
        long revision = etcd.revision();
        await().atMost(SOON)
                .until(() -> {
                    List<Change> log = topic.committed();
                    return !log.isEmpty() && log.getLast().revision() >= revision;
                });
    }

    private List<Long> progressTimes() {
        return markTimes(Kind.PROGRESS);
    }

    private List<Long> listTimes() {
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

    private List<Kind> kinds() {
        return topic.committed().stream()
                .filter(Change.TideMark.class::isInstance)
                .map(change -> ((Change.TideMark) change).kind())
                .toList();
    }

    /** The committed log yields etcd's state, and has every change once per epoch, in order. */
    private void assertMirrors(FakeEtcd etcd) {
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
}
