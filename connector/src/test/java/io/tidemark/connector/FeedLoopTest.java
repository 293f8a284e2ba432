package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.connector.feed.FeedState;
import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.sink.ChangeSink;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.etcd.ProgressSupport;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The feed loop between an in-memory etcd and an in-memory topic, both of which fail. */
@Execution(ExecutionMode.CONCURRENT) // The tests mostly wait.
class FeedLoopTest {
    private final FeedLoopFixture feed = new FeedLoopFixture();
    private final FakeEtcd etcd = feed.etcd();
    private final FakeTopic topic = feed.topic();

    @AfterEach
    void stopLoops() throws Exception {
        feed.close();
    }

    @Test
    void listsInOneTransactionAndFollows() {
        for (int i = 0; i < 10; i++) {
            etcd.put("/k/" + i);
        }
        feed.start(0);
        etcd.put("/k/3", "/k/later", "/elsewhere");
        etcd.delete("/k/4");
        feed.assertMirrors();
        assertThat(etcd.lists()).as("pages").isEqualTo(4);
    }

    @Test
    void marksRevisionsOutsideThePrefix() {
        feed.start(0);
        etcd.put("/elsewhere");
        feed.awaitMirrored();
    }

    @Test
    void marksWrittenDuringCatchUpHaveNoKnownTime() {
        etcd.put("/k/a");
        etcd.put("/k/b");
        etcd.put("/k/c");
        long began = System.currentTimeMillis();
        feed.start(100);
        feed.awaitMirrored();
        feed.await(() -> feed.progressTimes().getLast() >= began);
        assertThat(feed.progressTimes().getFirst()).isEqualTo(FeedEffects.UNKNOWN_TIME);
    }

    @Test
    void aListIsAsOfTheEtcdCheckBeforeIt() {
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
        feed.start(0);
        feed.awaitMirrored();
        assertThat(feed.listTimes())
                .hasSize(2)
                .allMatch(time -> time >= began && time < listing.get());
    }

    @Test
    void aListAtAnOldRevisionHasNoKnownTime() {
        etcd.put("/k/a");
        etcd.put("/k/b");
        feed.start(100);
        feed.awaitMirrored();
        assertThat(feed.listTimes()).hasSize(2).containsOnly(FeedEffects.UNKNOWN_TIME);
    }

    @Test
    void marksAnIdleEtcdWithoutProgressRequests() {
        etcd.progressSupport(ProgressSupport.PERIODIC);
        feed.start(0);
        etcd.put("/k/a");
        feed.awaitMirrored();
        int marks = topic.committed().size();
        feed.await(() -> topic.committed().size() > marks);
        assertThat(topic.committed().getLast().revision()).isEqualTo(etcd.revision());
    }

    @Test
    void marksAnIdleEtcdAfterARestartAndATakeover() throws Exception {
        etcd.put("/k/a");
        feed.start(0);
        feed.awaitMirrored();
        feed.stopLoops();
        feed.start(0);
        feed.awaitMarkedAgain();
        feed.start(0);
        feed.awaitMarkedAgain();
        feed.assertMirrors();
    }

    @Test
    void keepsASilentWatchWhileEtcdIsIdle() {
        etcd.put("/k/a");
        FeedLoop loop = feed.start(0);
        feed.awaitMirrored();
        etcd.tellsProgress(false);
        long before = System.currentTimeMillis();
        feed.awaitMarkedAgain();
        feed.awaitMarkedAgain();
        assertThat(feed.progressTimes().getLast()).isGreaterThanOrEqualTo(before);
        assertThat(loop.state()).isInstanceOf(FeedState.Following.class);
        etcd.put("/k/b");
        feed.assertMirrors();
    }

    @Test
    void aListOvertakenByCompactionStartsOver() {
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
        feed.start(0);
        feed.assertMirrors();
        assertThat(feed.kinds()).containsSubsequence(Kind.LIST_BEGIN, Kind.LIST_END);
        assertThat(feed.kinds().stream().filter(Kind.LIST_BEGIN::equals)).hasSize(1);
    }

    /** Pages of the other one may have been written before that shows. */
    @Test
    void aListOfTwoClustersStartsOver() {
        for (int i = 0; i < 10; i++) {
            etcd.put("/k/" + i);
        }
        AtomicBoolean once = new AtomicBoolean();
        etcd.beforeList(() -> {
            if (etcd.lists() == 2 && once.compareAndSet(false, true)) {
                throw new EtcdException(EtcdException.Kind.OTHER_CLUSTER, "another", null);
            }
        });
        feed.start(0);
        feed.assertMirrors();
        assertThat(topic.aborted()).as("keys of the first attempt").hasSize(1 + 2 * 3);
        assertThat(feed.kinds()).containsOnlyOnce(Kind.LIST_BEGIN);
    }

    @Test
    void keepsTheEpochAfterCompactionAndBeginsOneForAnotherClusterWithoutStaleKeys() {
        etcd.put("/k/a", "/k/b");
        FeedLoop loop = feed.start(0);
        feed.awaitMirrored();
        etcd.reachable(false);
        feed.await(() -> loop.state() instanceof FeedState.Waiting);
        etcd.delete("/k/a");
        etcd.put("/k/c");
        etcd.compact(etcd.revision());
        etcd.reachable(true);
        feed.assertMirrors();
        assertThat(topic.committed().getLast().epoch()).isEqualTo(1);
        assertThat(feed.kinds()).containsOnlyOnce(Kind.GAP);
        assertThat(topic.committed().stream().filter(isPutOf("/k/b")))
                .as("unchanged keys are not written again")
                .hasSize(1);

        etcd.replace(2);
        etcd.put("/k/new");
        feed.awaitEpoch(2);
        feed.assertMirrors();
    }

    @Test
    void writesTheFirstListOfAClusterWithALowerRevisionOnce() {
        feed.start(0);
        feed.awaitMirrored();
        etcd.put("/k/a");
        etcd.put("/k/b");
        feed.awaitMirrored();

        etcd.replace(2);
        etcd.put("/k/new");

        feed.awaitEpoch(2);
        feed.assertMirrors();
        assertThat(topic.aborted()).noneMatch(Change.Put.class::isInstance);
    }

    /** Found by the simulation, seed 2024393: all of etcd was written twice. */
    @Test
    void writesNoGapWhenNoMirroredKeyCanProveTheHistory() {
        FeedLoop loop = feed.start(0);
        feed.awaitMirrored();
        etcd.reachable(false);
        feed.await(() -> loop.state() instanceof FeedState.Waiting);
        etcd.put("/k/a");
        etcd.put("/k/b");
        etcd.compact(etcd.revision());
        etcd.reachable(true);
        feed.awaitEpoch(2);
        feed.assertMirrors();
        assertThat(topic.aborted()).noneMatch(Change.Put.class::isInstance);
    }

    private static Predicate<Change> isPutOf(String name) {
        return change -> change instanceof Change.Put put && put.key().equals(Bytes.utf8(name));
    }

    @Test
    void detectsARecreatedEtcdThatHasPassedTheMirroredRevision() {
        etcd.put("/k/a");
        etcd.put("/k/b");
        feed.start(0);
        feed.awaitMirrored();
        synchronized (etcd) {
            etcd.replace(1);
            for (int i = 0; i < 5; i++) {
                etcd.put("/k/b");
            }
        }
        feed.awaitEpoch(2);
        feed.assertMirrors();
    }

    /** The lost part has left no put that could be compared. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void detectsARestoredEtcdThatStillHasADeletedKey(boolean restarts) throws Exception {
        etcd.put("/k/a");
        long backup = etcd.put("/k/b");
        feed.start(0);
        feed.awaitMirrored();
        etcd.delete("/k/a");
        restore(backup, restarts);
        feed.awaitEpoch(2);
        feed.assertMirrors();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void detectsARestoredEtcdThatNeverHadADeletedKey(boolean restarts) throws Exception {
        long backup = etcd.put("/k/a");
        feed.start(0);
        feed.awaitMirrored();
        etcd.put("/k/short-lived");
        etcd.delete("/k/short-lived");
        restore(backup, restarts);
        feed.awaitEpoch(2);
        feed.assertMirrors();
    }

    /** Restores the mirrored etcd, which then passes its former revision by other keys. */
    private void restore(long backup, boolean restarts) throws Exception {
        feed.awaitMirrored();
        if (restarts) {
            feed.stopLoops();
        }
        synchronized (etcd) {
            etcd.restore(backup);
            for (int i = 0; i < 5; i++) {
                etcd.put("/elsewhere");
            }
        }
        if (restarts) {
            feed.start(0);
        }
    }

    /** A list deletes what is not in it at the revision of the list. */
    @Test
    void keepsTheEpochWhenAListHasDeletedStaleKeys() throws Exception {
        etcd.put("/k/stale");
        feed.start(0);
        feed.awaitMirrored();
        etcd.replace(2);
        etcd.put("/k/b");
        feed.awaitEpoch(2);
        feed.stopLoops();
        feed.start(0);
        feed.awaitMarkedAgain();
        assertThat(topic.committed().getLast().epoch()).isEqualTo(2);
    }

    @Test
    void keepsTheEpochWhenTheNewestDeleteIsCompactedOrItsKeyExistsAgain() throws Exception {
        etcd.put("/k/a");
        etcd.put("/k/b");
        feed.start(0);
        feed.awaitMirrored();
        etcd.delete("/k/a");
        feed.awaitMirrored();
        feed.stopLoops();
        etcd.compact(etcd.revision());
        FeedLoop loop = feed.start(0);
        feed.awaitMarkedAgain();
        etcd.put("/k/a");
        feed.awaitMirrored();
        etcd.reachable(false);
        feed.await(() -> loop.state() instanceof FeedState.Waiting);
        etcd.reachable(true);
        etcd.put("/k/c");
        feed.assertMirrors();
        assertThat(topic.committed().getLast().epoch()).isEqualTo(1);
    }

    @Test
    void detectsARestoredEtcdByItsListWhenFingerprintsAreCompacted() {
        etcd.put("/k/a");
        etcd.put("/k/b");
        FeedLoop loop = feed.start(0);
        feed.awaitMirrored();
        etcd.reachable(false);
        feed.await(() -> loop.state() instanceof FeedState.Waiting);
        synchronized (etcd) {
            etcd.replace(1);
            etcd.put("/k/b");
            etcd.put("/elsewhere");
            etcd.put("/k/c");
            etcd.put("/k/c");
            etcd.compact(etcd.revision());
            etcd.reachable(true);
        }
        feed.awaitEpoch(2);
        feed.assertMirrors();
    }

    /**
     * As a restore with {@code --bump-revision --mark-compacted} leaves it; stores have dropped the
     * key.
     */
    @Test
    void detectsARestoredEtcdThatHasAKeyWhoseDeleteWasAborted() throws Exception {
        etcd.put("/k/a");
        etcd.put("/k/b");
        feed.start(0);
        feed.awaitMirrored();
        feed.stopLoops();
        Bytes key = Bytes.utf8("/k/a");
        ChangeSink lost = topic.writer();
        lost.open();
        Change.Delete delete = new Change.Delete(1, etcd.revision() + 1, 0, key);
        lost.write(List.of(new MirrorEntry(key, delete, null)));
        lost.abort();
        etcd.put("/elsewhere");
        etcd.put("/elsewhere");
        etcd.compact(etcd.revision());
        feed.start(0);
        feed.awaitEpoch(2);
        feed.assertMirrors();
    }

    @Test
    void commitsNothingBelowAbortedMarks() throws Exception {
        etcd.put("/k/a");
        feed.start(0);
        feed.awaitMirrored();
        feed.stopLoops();
        long listed = topic.committed().getLast().revision();
        ChangeSink lost = topic.writer();
        lost.open();
        lost.mark(new Change.TideMark(1, listed + 3, Kind.PROGRESS, 1, "http://x"));
        lost.abort();
        etcd.put("/k/b");
        etcd.put("/k/c");
        etcd.put("/k/d");
        feed.start(0);
        feed.assertMirrors();
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
        FeedLoop first = feed.start(0);
        feed.awaitMirrored();
        feed.start(0);
        feed.await(() -> first.state() instanceof FeedState.Stopped);
        etcd.put("/k/a");
        feed.assertMirrors();
    }

    @Test
    void marksARevisionInPartsOnceItIsComplete() {
        feed.start(0);
        feed.awaitMirrored();
        String[] keys = IntStream.range(0, 100).mapToObj(n -> "/k/" + n).toArray(String[]::new);
        etcd.put(keys);
        feed.assertMirrors();
        List<Integer> indexes =
                topic.committed().stream()
                        .filter(change -> change instanceof Change.Put put && !put.listed())
                        .map(change -> ((Change.Put) change).index())
                        .toList();
        assertThat(indexes).isEqualTo(IntStream.range(0, 100).boxed().toList());
    }

    /** As a record that is larger than the topic's limit: the producer accepts it at first. */
    @Test
    void pausesEverLongerWhileAcceptedWritesAreNeverCommitted() {
        etcd.put("/k/a");
        topic.failsCommits();
        RecordedPauses machine = new RecordedPauses(7);
        feed.start(0, machine);
        feed.await(machine::isFull);
        assertThat(machine.pauses())
                .extracting(Duration::toMillis)
                .containsExactly(100L, 200L, 400L, 800L, 1_600L, 2_000L, 2_000L);
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16})
    void mirrorConvergesAfterRandomFaults(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        topic.failing(random.split());
        feed.start(1_000);
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
        feed.assertMirrors();
    }

    /**
     * An exception's message may hold a secret, and any client of the connector reads the status.
     */
    @Test
    void saysWhyItFailedAfterAnUnexpectedException() throws Exception {
        etcd.fails(new IllegalStateException("Bearer secret"));
        FeedLoop loop = feed.loop(0, new ConnectorMetrics(new SimpleMeterRegistry()));
        // Otherwise Awaitility throws the exception in tests that run meanwhile.
        Thread _ = Thread.ofVirtual().uncaughtExceptionHandler((_, _) -> {}).start(loop);
        assertThat(loop.awaitEnd(Duration.ofSeconds(30))).isTrue();
        ConnectorStatus status = loop.log().status(loop.state(), 0);
        assertThat(status.phase()).isEqualTo(ConnectorStatus.Phase.FAILED);
        assertThat(status.lastError())
                .contains("IllegalStateException", "a bug")
                .doesNotContain("secret");
        assertThat(loop.state().toString()).doesNotContain("secret");
    }
}
