package io.tidemark.simulation.contract;

import static io.tidemark.connector.sink.TopicClients.Isolation.COMMITTED;
import static io.tidemark.connector.sink.TopicClients.Isolation.UNCOMMITTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connector.sink.TopicClients.Isolation;
import io.tidemark.connector.topic.MirrorTopics;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.reading.CorruptRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** What a connector relies on of a consumer without a group, and of the topic itself. */
abstract class ConsumerContract extends TopicContract {
    @Test
    void theTopicIsPreparedAndItsPartitionsAreKnown() throws Exception {
        MirrorTopics.Prepared prepared =
                topic().clients()
                        .prepare(TopicSettings.DEFAULT.withName(topic().name()).withPartitions(2));
        assertThat(prepared.partitions()).isEqualTo(2);
        assertThat(prepared.findings()).isEmpty();
        assertThat(prepared.maxMessageBytes()).isGreaterThan(1_000_000);
        try (Open open = open(COMMITTED)) {
            assertThat(open.consumer().partitionsFor(topic().name()))
                    .extracting(PartitionInfo::partition)
                    .containsExactlyInAnyOrder(0, 1);
        }
    }

    @Test
    void anEmptyPartitionBeginsAndEndsAtZero() {
        try (Open open = open(COMMITTED)) {
            Consumer<byte[], byte[]> consumer = open.consumer();
            List<TopicPartition> all = List.of(partition(0), partition(1));
            consumer.assign(all);
            Map<TopicPartition, Long> zero = Map.of(partition(0), 0L, partition(1), 0L);

            assertThat(consumer.beginningOffsets(all)).isEqualTo(zero);
            assertThat(consumer.endOffsets(all)).isEqualTo(zero);
            assertThat(consumer.poll(POLL).count()).isZero();
            assertThat(consumer.position(partition(0))).isZero();
        }
    }

    @Test
    void nothingIsPolledWithoutAnAssignment() {
        try (Open open = open(COMMITTED)) {
            assertThatThrownBy(() -> open.consumer().poll(POLL))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> open.consumer().seek(partition(0), 1))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> open.consumer().position(partition(0)))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aRecordCarriesHeadersAndTheBrokersTime() {
        Producer<byte[], byte[]> producer = producer();
        long before = topic().clients().time().currentTimeMillis();
        producer.beginTransaction();
        ProducerRecord<byte[], byte[]> sent =
                new ProducerRecord<>(topic().name(), 0, 1L, bytes("a"), bytes("1"));
        sent.headers().add("name", bytes("x")).add("name", bytes("y"));
        var unused = producer.send(sent, (_, _) -> {});
        producer.commitTransaction();
        awaitEnd(COMMITTED, 0, 2);

        ConsumerRecord<byte[], byte[]> read = readOne();
        assertThat(read.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
        assertThat(read.timestamp())
                .isBetween(before, topic().clients().time().currentTimeMillis());
        assertThat(read.headers().toArray()).hasSize(2);
        assertThat(read.headers().lastHeader("name").value()).isEqualTo(bytes("y"));
        assertThat(read.key()).isEqualTo(bytes("a"));
        assertThat(read.value()).isEqualTo(bytes("1"));
    }

    /** The first record of the first partition. */
    private ConsumerRecord<byte[], byte[]> readOne() {
        try (Open open = open(COMMITTED)) {
            open.consumer().assign(List.of(partition(0)));
            List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
            assertThat(
                            topic().await(() -> {
                                open.consumer().poll(POLL).forEach(found::add);
                                return !found.isEmpty();
                            }))
                    .isTrue();
            return found.getFirst();
        }
    }

    @Test
    void readingBeginsAtTheBeginningOrWhereItIsSought() {
        Producer<byte[], byte[]> producer = producer();
        commit(producer, 0, "a", "1");
        commit(producer, 0, "b", "1");
        commit(producer, 0, "c", null);
        awaitEnd(COMMITTED, 0, 6);
        try (Open open = open(COMMITTED)) {
            Consumer<byte[], byte[]> consumer = open.consumer();
            consumer.assign(List.of(partition(0)));
            assertThat(readTo(consumer, partition(0), 6)).containsExactly("0:a=1", "2:b=1", "4:c=");
            assertThat(consumer.position(partition(0))).isEqualTo(6);
            consumer.seek(partition(0), 2);
            assertThat(consumer.position(partition(0))).isEqualTo(2);
            assertThat(readTo(consumer, partition(0), 6)).containsExactly("2:b=1", "4:c=");
            consumer.seek(partition(0), 3);
            assertThat(readTo(consumer, partition(0), 6)).containsExactly("4:c=");
        }
    }

    @Test
    void aPositionAboveTheEndIsResetToTheBeginning() {
        commit(producer(), 0, "a", "1");
        awaitEnd(COMMITTED, 0, 2);
        try (Open open = open(COMMITTED)) {
            Consumer<byte[], byte[]> consumer = open.consumer();
            consumer.assign(List.of(partition(0)));
            consumer.seek(partition(0), 100);
            assertThat(
                            topic().await(() -> {
                                ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
                                return polled.count() == 1 && consumer.position(partition(0)) <= 2;
                            }))
                    .isTrue();
        }
    }

    @Test
    void aPausedPartitionIsNotRead() {
        Producer<byte[], byte[]> producer = producer();
        commit(producer, 0, "a", "1");
        commit(producer, 1, "b", "1");
        awaitEnd(COMMITTED, 0, 2);
        awaitEnd(COMMITTED, 1, 2);
        try (Open open = open(COMMITTED)) {
            Consumer<byte[], byte[]> consumer = open.consumer();
            consumer.assign(List.of(partition(0), partition(1)));
            consumer.pause(List.of(partition(0)));
            assertThat(readTo(consumer, partition(1), 2)).containsExactly("0:b=1");
            assertThat(consumer.poll(POLL).count()).isZero();
            assertThat(consumer.position(partition(0))).isZero();
            consumer.resume(List.of(partition(0)));
            assertThat(readTo(consumer, partition(0), 2)).containsExactly("0:a=1");
        }
    }

    @Test
    void aReaderOfCommittedRecordsWaitsAtAnOpenTransaction() {
        Producer<byte[], byte[]> producer = producer();
        commit(producer, 0, "a", "1");
        producer.beginTransaction();
        Sent unused = send(producer, 0, "a", "2");
        producer.flush();
        try (Open open = open(COMMITTED)) {
            Consumer<byte[], byte[]> consumer = open.consumer();
            consumer.assign(List.of(partition(0)));
            assertThat(readTo(consumer, partition(0), 2)).containsExactly("0:a=1");
            assertThat(consumer.poll(POLL).count()).isZero();
            assertThat(consumer.position(partition(0))).isEqualTo(2);
            producer.commitTransaction();
            assertThat(readTo(consumer, partition(0), 4)).containsExactly("2:a=2");
        }
    }

    @Test
    void aReaderOfCommittedRecordsPassesAbortedOnes() {
        Producer<byte[], byte[]> producer = producer();
        producer.beginTransaction();
        for (int i = 0; i < 100; i++) {
            Sent unused = send(producer, 0, "a", "" + i);
        }
        producer.flush();
        producer.abortTransaction();
        awaitEnd(COMMITTED, 0, 101);

        assertThat(records(COMMITTED, 0)).isEmpty();
        assertThat(records(UNCOMMITTED, 0)).hasSize(100);
    }

    @Test
    void theCleanerLeavesHolesAndTheEndsStay() {
        Producer<byte[], byte[]> producer = producer();
        commit(producer, 0, "a", "1");
        commit(producer, 0, "b", "1");
        commit(producer, 0, "a", "2");
        commit(producer, 0, "c", "1");
        commit(producer, 0, "c", null);
        producer.beginTransaction();
        Sent unused = send(producer, 0, "d", "aborted");
        producer.flush();
        producer.abortTransaction();
        awaitEnd(COMMITTED, 0, 12);
        assertThat(records(UNCOMMITTED, 0)).hasSize(6);
        topic().shortenLag();

        assertThat(records(UNCOMMITTED, 0)).hasSize(6);
        awaitCleaned(producer, List.of("2:b=1", "4:a=2", "8:c="));
        try (Open open = open(COMMITTED)) {
            Consumer<byte[], byte[]> consumer = open.consumer();
            consumer.assign(List.of(partition(0)));
            assertThat(consumer.beginningOffsets(List.of(partition(0))))
                    .containsEntry(partition(0), 0L);
            consumer.seek(partition(0), 3);
            assertThat(readTo(consumer, partition(0), 5)).startsWith("4:a=2");
        }
        awaitCleaned(producer, List.of("2:b=1", "4:a=2"));
    }

    /** Waits until these are the records of the first twelve offsets, and writes on meanwhile. */
    private void awaitCleaned(Producer<byte[], byte[]> producer, List<String> expected) {
        List<String> left = new ArrayList<>();
        boolean cleaned =
                topic().await(() -> {
                    commit(producer, 0, "more", "x");
                    topic().clean();
                    left.clear();
                    records(UNCOMMITTED, 0).stream()
                            .filter(text -> !text.contains("more"))
                            .forEach(left::add);
                    return left.equals(expected);
                });
        assertThat(cleaned).as("left: %s", left).isTrue();
    }

    @Test
    void unreadableRecordsArePassedAndReportedBeforeWhatFollows() {
        unreadableRecordsArePassed(UNCOMMITTED);
    }

    @Test
    void aReaderOfCommittedRecordsPassesUnreadableOnesToo() {
        unreadableRecordsArePassed(COMMITTED);
    }

    private void unreadableRecordsArePassed(Isolation isolation) {
        Producer<byte[], byte[]> producer = producer();
        for (String key : List.of("a", "b", "c", "d")) {
            commit(producer, 0, key, "1");
        }
        awaitEnd(COMMITTED, 0, 8);
        topic().corrupt(0, 2);
        topic().corrupt(0, 6);
        List<CorruptRange> passed = new ArrayList<>();
        List<String> found = new ArrayList<>();
        try (Open open = open(isolation, passed::add)) {
            Consumer<byte[], byte[]> consumer = open.consumer();
            consumer.assign(List.of(partition(0)));
            boolean read =
                    topic().await(() -> {
                        for (ConsumerRecord<byte[], byte[]> each : consumer.poll(POLL)) {
                            found.add(each.offset() + " after " + covered(passed, each.offset()));
                        }
                        return consumer.position(partition(0)) >= 8;
                    });
            assertThat(read).as("%s, %s", found, passed).isTrue();
            assertThat(found).containsExactly("0 after []", "4 after [2]");
            assertThat(covered(passed, 8)).containsExactly(2, 6);
            consumer.seek(partition(0), 3);
            assertThat(readTo(consumer, partition(0), 5)).containsExactly("4:c=1");
        }
    }

    /** The offsets of records that were reported, below one; the others are those of markers. */
    private static List<Integer> covered(List<CorruptRange> passed, long below) {
        return IntStream.range(0, (int) below)
                .filter(offset -> offset % 2 == 0)
                .filter(offset ->
                        passed.stream()
                                .anyMatch(range ->
                                        range.from() <= offset && offset < range.toExclusive()))
                .boxed()
                .toList();
    }

    @Test
    void endsThatABrokerDoesNotTellTimeOutAndPollsStayEmpty() {
        commit(producer(), 0, "a", "1");
        awaitEnd(COMMITTED, 0, 2);
        try (Open open = open(COMMITTED)) {
            Consumer<byte[], byte[]> consumer = open.consumer();
            consumer.assign(List.of(partition(0)));
            assertThat(readTo(consumer, partition(0), 2)).hasSize(1);
            consumer.seek(partition(0), 0);
            topic().reachable(false);
            assertThat(consumer.poll(POLL).count()).isZero();
            assertThatThrownBy(() -> consumer.endOffsets(List.of(partition(0))))
                    .isInstanceOf(TimeoutException.class);
            topic().reachable(true);
            assertThat(readTo(consumer, partition(0), 2)).containsExactly("0:a=1");
        }
    }
}
