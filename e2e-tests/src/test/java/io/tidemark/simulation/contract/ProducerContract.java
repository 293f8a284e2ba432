package io.tidemark.simulation.contract;

import static io.tidemark.connector.sink.TopicClients.Isolation.COMMITTED;
import static io.tidemark.connector.sink.TopicClients.Isolation.UNCOMMITTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** What a connector relies on of a transactional producer. */
abstract class ProducerContract extends TopicContract {
    @Test
    void knowsThePartitionsOfTheTopic() {
        assertThat(producer().partitionsFor(topic().name())).hasSize(2);
    }

    @Test
    void committedRecordsKeepTheirOrderAndTheMarkerTakesAnOffset() {
        Producer<byte[], byte[]> producer = producer();
        producer.beginTransaction();
        List<Sent> sent =
                IntStream.range(0, 20).mapToObj(i -> send(producer, 0, "k" + i, "v")).toList();
        producer.commitTransaction();

        List<String> expected = IntStream.range(0, 20).mapToObj(i -> i + ":k" + i + "=v").toList();
        assertThat(sent)
                .extracting(Sent::offset)
                .isEqualTo(IntStream.range(0, 20).mapToObj(i -> (long) i).toList());
        awaitEnd(COMMITTED, 0, 21);
        assertThat(end(UNCOMMITTED, 0)).isEqualTo(21);
        assertThat(records(COMMITTED, 0)).isEqualTo(expected);
        assertThat(records(UNCOMMITTED, 0)).isEqualTo(expected);
    }

    @Test
    void anOpenTransactionIsTheEndForReadersOfCommittedRecords() {
        Producer<byte[], byte[]> producer = producer();
        commit(producer, 0, "a", "1");
        producer.beginTransaction();
        Sent sent = send(producer, 0, "a", "2");
        producer.flush();

        assertThat(sent.isAnswered()).isTrue();
        assertThat(sent.offset()).isEqualTo(2);
        assertThat(end(COMMITTED, 0)).isEqualTo(2);
        assertThat(end(UNCOMMITTED, 0)).isEqualTo(3);
        assertThat(records(COMMITTED, 0)).containsExactly("0:a=1");
        assertThat(records(UNCOMMITTED, 0)).containsExactly("0:a=1", "2:a=2");
    }

    @Test
    void abortedRecordsStayVisibleToReadersOfAllRecords() {
        Producer<byte[], byte[]> producer = producer();
        producer.beginTransaction();
        Sent unused = send(producer, 0, "a", "aborted");
        producer.flush();
        producer.abortTransaction();
        commit(producer, 0, "a", "1");

        awaitEnd(COMMITTED, 0, 4);
        assertThat(records(COMMITTED, 0)).containsExactly("2:a=1");
        assertThat(records(UNCOMMITTED, 0)).containsExactly("0:a=aborted", "2:a=1");
    }

    @Test
    void noRecordArrivesAfterItsTransactionWasAborted() {
        Producer<byte[], byte[]> producer = producer();
        for (int round = 0; round < 5; round++) {
            producer.beginTransaction();
            for (int i = 0; i < 200; i++) {
                Sent unused = send(producer, i % 2, "k" + i, "v");
            }
            producer.abortTransaction();
            int arrived = records(UNCOMMITTED, 0).size();
            Sent next = sendAlone(producer);
            assertThat(records(UNCOMMITTED, 0)).hasSize(arrived + 1);
            assertThat(next.offset()).isEqualTo(end(UNCOMMITTED, 0) - 1);
            producer.abortTransaction();
        }
    }

    /** Begins a transaction with one record, which is acknowledged. */
    private Sent sendAlone(Producer<byte[], byte[]> producer) {
        producer.beginTransaction();
        Sent sent = send(producer, 0, "alone", "v");
        producer.flush();
        return sent;
    }

    @Test
    void markersAreWrittenOnlyToPartitionsOfTheTransaction() {
        Producer<byte[], byte[]> producer = producer();
        commit(producer, 0, "a", "1");
        awaitEnd(COMMITTED, 0, 2);
        commit(producer, 1, "b", "1");
        awaitEnd(COMMITTED, 1, 2);

        assertThat(end(UNCOMMITTED, 0)).isEqualTo(2);
        assertThat(end(UNCOMMITTED, 1)).isEqualTo(2);
    }

    @Test
    void aTransactionWithoutRecordsWritesNothing() {
        Producer<byte[], byte[]> producer = producer();
        producer.beginTransaction();
        producer.commitTransaction();
        producer.beginTransaction();
        producer.abortTransaction();
        commit(producer, 0, "a", "1");

        awaitEnd(COMMITTED, 0, 2);
        assertThat(records(UNCOMMITTED, 0)).containsExactly("0:a=1");
        assertThat(end(UNCOMMITTED, 1)).isZero();
    }

    @Test
    void nothingCanBeSentOutsideOfATransaction() {
        Producer<byte[], byte[]> producer = producer();
        assertThatThrownBy(() -> send(producer, 0, "a", "1"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(producer::commitTransaction).isInstanceOf(IllegalStateException.class);
        commit(producer, 0, "a", "1");
        assertThatThrownBy(() -> send(producer, 0, "a", "2"))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void nothingCanBeginBeforeTheIdIsInitialized() {
        Producer<byte[], byte[]> producer = newProducer();
        assertThatThrownBy(producer::beginTransaction).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aSecondProducerAbortsTheOpenTransactionOfTheFirst() {
        Producer<byte[], byte[]> first = producer();
        first.beginTransaction();
        Sent unused = send(first, 0, "a", "first");
        first.flush();
        Producer<byte[], byte[]> second = producer();

        assertThat(end(UNCOMMITTED, 0)).isEqualTo(2);
        assertThat(end(COMMITTED, 0)).isEqualTo(2);
        commit(second, 0, "a", "second");
        awaitEnd(COMMITTED, 0, 4);
        assertThat(records(COMMITTED, 0)).containsExactly("2:a=second");
        assertThat(records(UNCOMMITTED, 0)).containsExactly("0:a=first", "2:a=second");
    }

    @Test
    void aFencedProducerLearnsItFromItsNextSend() {
        Producer<byte[], byte[]> first = producer();
        first.beginTransaction();
        Sent before = send(first, 0, "a", "first");
        first.flush();
        Producer<byte[], byte[]> second = producer();
        Sent late = send(first, 0, "a", "late");
        first.flush();

        assertThat(before.failure()).isNull();
        assertThat(late.failure()).isInstanceOf(InvalidProducerEpochException.class);
        assertThatThrownBy(first::commitTransaction)
                .isInstanceOf(InvalidProducerEpochException.class);
        assertThatThrownBy(first::abortTransaction).isInstanceOf(ProducerFencedException.class);
        commit(second, 0, "a", "second");
        awaitEnd(COMMITTED, 0, 4);
        assertThat(records(UNCOMMITTED, 0)).containsExactly("0:a=first", "2:a=second");
    }

    @Test
    void aFencedProducerLearnsItFromItsCommit() {
        Producer<byte[], byte[]> first = producer();
        first.beginTransaction();
        Sent unused = send(first, 0, "a", "first");
        first.flush();
        Producer<byte[], byte[]> second = producer();

        assertThatThrownBy(first::commitTransaction).isInstanceOf(ProducerFencedException.class);
        assertThatThrownBy(first::abortTransaction).isInstanceOf(ProducerFencedException.class);
        commit(second, 0, "a", "second");
        awaitEnd(COMMITTED, 0, 4);
        assertThat(records(COMMITTED, 0)).containsExactly("2:a=second");
    }

    @Test
    void theBrokerAbortsATransactionThatTakesTooLong() {
        Producer<byte[], byte[]> producer = producer();
        producer.beginTransaction();
        Sent unused = send(producer, 0, "a", "late");
        producer.flush();
        awaitEnd(COMMITTED, 0, 2);
        Sent late = send(producer, 0, "a", "later");
        producer.flush();

        assertThat(late.failure()).isInstanceOf(InvalidProducerEpochException.class);
        assertThatThrownBy(producer::commitTransaction)
                .isInstanceOf(InvalidProducerEpochException.class);
        assertThatCode(producer::abortTransaction).doesNotThrowAnyException();
        commit(producer, 0, "a", "1");
        awaitEnd(COMMITTED, 0, 4);
        assertThat(records(UNCOMMITTED, 0)).containsExactly("0:a=late", "2:a=1");
    }

    @Test
    void aCommitThatComesTooLateFails() {
        Producer<byte[], byte[]> producer = producer();
        producer.beginTransaction();
        Sent unused = send(producer, 0, "a", "late");
        producer.flush();
        awaitEnd(COMMITTED, 0, 2);

        assertThatThrownBy(producer::commitTransaction)
                .isInstanceOf(InvalidTxnStateException.class);
        assertThatThrownBy(producer::abortTransaction)
                .isExactlyInstanceOf(KafkaException.class)
                .hasCauseInstanceOf(InvalidTxnStateException.class);
        commit(producer(), 0, "a", "1");
        awaitEnd(COMMITTED, 0, 4);
        assertThat(records(COMMITTED, 0)).containsExactly("2:a=1");
    }

    @Test
    void nothingIsSentInAFailedTransaction() {
        Producer<byte[], byte[]> producer = producer();
        producer.beginTransaction();
        Sent unused = send(producer, 0, "b", tooLarge());

        assertThatThrownBy(() -> send(producer, 0, "a", "1"))
                .isExactlyInstanceOf(KafkaException.class)
                .hasCauseInstanceOf(RecordTooLargeException.class);
        assertThatThrownBy(producer::beginTransaction).isInstanceOf(KafkaException.class);
        producer.abortTransaction();
        assertThat(end(UNCOMMITTED, 0)).isZero();
    }

    private String tooLarge() {
        return "x".repeat(topic().clients().maxRequestBytes() + 1);
    }

    @Test
    void aRecordThatIsTooLargeFailsItsTransaction() {
        Producer<byte[], byte[]> producer = producer();
        producer.beginTransaction();
        Sent fits = send(producer, 0, "a", "1");
        // A record that still waits to be sent fails together with the one that is too large.
        producer.flush();
        Sent tooLarge = send(producer, 0, "b", tooLarge());

        assertThat(fits.failure()).isNull();
        assertThat(tooLarge.failure()).isInstanceOf(RecordTooLargeException.class);
        assertThatThrownBy(producer::commitTransaction)
                .isInstanceOf(KafkaException.class)
                .hasCauseInstanceOf(RecordTooLargeException.class);
        producer.abortTransaction();
        commit(producer, 0, "a", "2");
        awaitEnd(COMMITTED, 0, 4);
        assertThat(records(COMMITTED, 0)).containsExactly("2:a=2");
    }

    @Test
    void closingAbortsTheOpenTransaction() {
        Producer<byte[], byte[]> producer = producer();
        producer.beginTransaction();
        Sent unused = send(producer, 0, "a", "1");
        producer.flush();
        producer.close(Duration.ofSeconds(2));

        awaitEnd(COMMITTED, 0, 2);
        assertThat(records(COMMITTED, 0)).isEmpty();
    }

    @Test
    void aCommitWhoseAnswerIsLostHasAnEffect() {
        Producer<byte[], byte[]> producer = producer();
        producer.beginTransaction();
        Sent unused = send(producer, 0, "a", "1");
        producer.flush();
        topic().loseAnswersToCommits();

        assertThatThrownBy(producer::commitTransaction).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(producer::abortTransaction).isInstanceOf(IllegalStateException.class);
        producer.close(Duration.ZERO);
        topic().reachable(true);
        assertThat(topic().await(this::canInitialize)).isTrue();
        assertThat(records(COMMITTED, 0)).containsExactly("0:a=1");
    }

    private boolean canInitialize() {
        try {
            var unused = producer();
            return true;
        } catch (TimeoutException _) {
            return false;
        }
    }

    @Test
    void anUnansweredCommitTakesEffectAsAWholeBeforeTheNextProducerOrNever() {
        Producer<byte[], byte[]> producer = producer();
        producer.beginTransaction();
        Sent first = send(producer, 0, "a", "1");
        Sent second = send(producer, 1, "b", "1");
        producer.flush();
        assertThat(List.of(first, second)).allMatch(Sent::isAnswered);
        topic().reachable(false);

        assertThatThrownBy(producer::commitTransaction).isInstanceOf(TimeoutException.class);
        producer.close(Duration.ZERO);
        topic().reachable(true);
        assertThat(topic().await(this::canInitialize)).isTrue();
        List<String> a = records(COMMITTED, 0);
        List<String> b = records(COMMITTED, 1);
        assertThat(a.size()).isEqualTo(b.size());
        assertThat(List.of(a, b))
                .isIn(List.of(List.of(), List.of()), List.of(List.of("0:a=1"), List.of("0:b=1")));

        Producer<byte[], byte[]> next = producer();
        commit(next, 0, "a", "2");
        awaitEnd(COMMITTED, 0, 4);
        List<String> withNext = new ArrayList<>(a);
        withNext.add("2:a=2");
        assertThat(records(COMMITTED, 0)).isEqualTo(withNext);
        assertThat(records(COMMITTED, 1)).isEqualTo(b);
    }

    @Test
    void whatABrokerDoesNotAnswerTimesOut() {
        Producer<byte[], byte[]> producer = producer();
        commit(producer, 0, "a", "1");
        awaitEnd(COMMITTED, 0, 2);
        producer.beginTransaction();
        topic().reachable(false);
        Sent sent = send(producer, 0, "a", "2");
        producer.flush();

        assertThat(sent.failure()).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(producer::commitTransaction).isInstanceOf(KafkaException.class);
        assertThatThrownBy(() -> newProducer().initTransactions())
                .isInstanceOf(TimeoutException.class);
        topic().reachable(true);
        assertThat(topic().await(this::canInitialize)).isTrue();
        assertThat(records(COMMITTED, 0)).containsExactly("0:a=1");
    }
}
