package io.tidemark.simulation.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.TopicRecord;
import io.tidemark.simulation.world.Scheduler;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FakeTopicTest {
    private static final long LAG = 20_000;
    private static final long RETENTION = 200_000;

    private final Scheduler scheduler = new Scheduler(1);
    private final FakeTopic topic =
            new FakeTopic(
                    scheduler,
                    2,
                    new FakePartition.Settings(LAG, RETENTION, 2, 10_000_000),
                    1_000_000);
    private final FakePartition log = topic.partitions().getFirst();

    @Test
    void sendsOfOneProducerArriveInOrderPerPartition() {
        FakeProducer producer = producer();
        IntStream.range(0, 50).forEach(i -> producer.send(0, record("k" + i, "v")));
        scheduler.advance(5_000);

        assertThat(visible(false))
                .isEqualTo(IntStream.range(0, 50).mapToObj(i -> "k" + i + "=v").toList());
    }

    @Test
    void committedReadersWaitForTheMarker() {
        FakeProducer producer = producer();
        producer.send(0, record("a", "1"));
        scheduler.advance(1_000);
        assertThat(visible(false)).containsExactly("a=1");
        assertThat(visible(true)).isEmpty();

        producer.commit(() -> {});
        scheduler.advance(1_000);
        assertThat(visible(true)).containsExactly("a=1");
    }

    @Test
    void aNewProducerFencesAndAbortsTheOldOne() {
        FakeProducer zombie = producer();
        zombie.send(0, record("a", "zombie"));
        scheduler.advance(1_000);
        FakeProducer next = producer();
        zombie.send(0, record("a", "late"));
        next.send(0, record("a", "next"));
        next.commit(() -> {});
        scheduler.advance(1_000);

        assertThat(zombie.isFenced()).isTrue();
        assertThat(visible(false)).containsExactly("a=zombie", "a=next");
        assertThat(visible(true)).containsExactly("a=next");
    }

    @Test
    void aTransactionThatStaysOpenForTooLongIsAbortedAndFenced() {
        FakeProducer producer = producer();
        producer.send(0, record("a", "1"));
        scheduler.advance(1_100_000);

        assertThat(producer.isFenced()).isTrue();
        assertThat(log.lastStableOffset()).isEqualTo(log.endOffset());
    }

    @Test
    void aCrashLosesTheTailOfInFlightRecords() {
        FakeProducer producer = producer();
        IntStream.range(0, 50).forEach(i -> producer.send(0, record("k" + i, "v")));
        producer.crash();
        scheduler.advance(5_000);

        assertThat(visible(false))
                .hasSizeLessThan(50)
                .isEqualTo(
                        IntStream.range(0, visible(false).size())
                                .mapToObj(i -> "k" + i + "=v")
                                .toList());
    }

    @Test
    void aCommitThatWasOnItsWayMayArriveAfterTheCrash() {
        Set<Integer> committed = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            FakeProducer producer = producer();
            producer.send(0, record("a", "1"));
            scheduler.advance(1_000);
            int before = visible(true).size();
            topic.reachable(false);
            producer.commit(() -> {});
            scheduler.advance(5_000);
            producer.crash();
            topic.reachable(true);
            scheduler.advance(1_000);
            committed.add(visible(true).size() - before);
        }
        assertThat(committed).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void aCommitDoesNotArriveAfterAnotherHasTakenTheId() {
        for (int i = 0; i < 20; i++) {
            FakeProducer producer = producer();
            producer.send(0, record("a", "1"));
            scheduler.advance(1_000);
            topic.reachable(false);
            producer.commit(() -> {});
            producer.crash();
            FakeProducer unused = producer();
            topic.reachable(true);
            scheduler.advance(1_000);
            assertThat(visible(true)).isEmpty();
        }
    }

    @Test
    void theCleanerKeepsARecordUntilItsSuccessorIsOlderThanTheLag() {
        commit("a", "1");
        scheduler.advance(10 * LAG);
        commit("a", "2");
        fill();
        topic.clean();
        assertThat(visible(true)).contains("a=1", "a=2");

        scheduler.advance(LAG + 1);
        topic.clean();
        assertThat(visible(true)).doesNotContain("a=1").contains("a=2");
    }

    @Test
    void theCleanerLeavesTheActiveSegmentAlone() {
        commit("a", "1");
        commit("a", "2");
        scheduler.advance(10 * LAG);
        topic.clean();

        assertThat(visible(true)).containsExactly("a=1", "a=2");
    }

    @Test
    void theCleanerNeverPassesTheLastStableOffset() {
        FakeProducer producer = producer();
        for (int i = 0; i < 10; i++) {
            producer.send(0, record("a", "" + i));
        }
        scheduler.advance(10 * LAG);
        topic.clean();

        assertThat(visible(false)).hasSize(10);
    }

    @Test
    void abortedRecordsVanishAndNeverShadowCommittedOnes() {
        commit("a", "1");
        producer().send(0, record("a", "aborted"));
        scheduler.advance(100);
        fill();
        scheduler.advance(LAG + 1);
        topic.clean();

        assertThat(visible(false)).contains("a=1").doesNotContain("a=aborted");
    }

    @Test
    void aTombstoneStaysForItsRetentionCountedFromTheFirstPass() {
        commit("a", "1");
        commit("a", null);
        fill();
        scheduler.advance(LAG + 1);
        topic.clean();
        assertThat(visible(true)).contains("a=null").doesNotContain("a=1");

        scheduler.advance(RETENTION + 1);
        fill();
        scheduler.advance(LAG + 1);
        topic.clean();
        assertThat(visible(true)).doesNotContain("a=null");
    }

    private FakeProducer producer() {
        FakeProducer producer = topic.initTransactions("id", () -> {});
        scheduler.advance(2_000);
        return producer;
    }

    private void commit(String key, @Nullable String value) {
        FakeProducer producer = producer();
        producer.send(0, record(key, value));
        producer.commit(() -> {});
        scheduler.advance(500);
    }

    /** Moves earlier records out of the active segment. */
    private void fill() {
        commit("fill1", "x");
        commit("fill2", "x");
        commit("fill3", "x");
    }

    private List<String> visible(boolean committedOnly) {
        return log.read(0, 1_000, committedOnly).stream()
                .map(record -> record.content().key() + "=" + record.content().value())
                .toList();
    }

    private static TopicRecord record(String key, @Nullable String value) {
        return new TopicRecord(
                Bytes.utf8(key), value == null ? null : Bytes.utf8(value), List.of());
    }
}
