package io.tidemark.simulation.kafka;

import io.tidemark.record.Bytes;
import io.tidemark.record.TopicRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A transactional producer on the fake topic. As Kafka's, it learns from the answer to a record
 * that it was fenced, or that its transaction took too long, and cannot tell the two apart before
 * it aborts.
 */
public final class SimulatedProducer extends MockProducer<byte[], byte[]> {
    private final SimulatedKafka kafka;
    private final String transactionalId;
    private final Set<Sent> unanswered = new LinkedHashSet<>();
    private @Nullable FakeProducer producer;

    /** Why the transaction has failed; it can only be aborted. */
    private @Nullable KafkaException failure;

    private State state = State.NEW;

    private enum State {
        NEW,
        READY,
        IN_TRANSACTION,
        /** Whether the transaction was committed is unknown. */
        COMMIT_UNANSWERED,
        /** Unusable. */
        FAILED,
        CLOSED
    }

    public SimulatedProducer(SimulatedKafka kafka, String transactionalId) {
        this.kafka = kafka;
        this.transactionalId = transactionalId;
    }

    /** A record without an answer; equal by identity. */
    private final class Sent implements FakeProducer.Answer {
        private final TopicPartition to;
        private final Callback callback;
        private final long atMillis = kafka.scheduler().nowMillis();

        Sent(TopicPartition to, Callback callback) {
            this.to = to;
            this.callback = callback;
        }

        @Override
        public void appended(long offset) {
            answer(() -> callback.onCompletion(new RecordMetadata(to, offset, 0, 0, 0, 0), null));
        }

        @Override
        public void refused() {
            answer(() -> {
                fail(new InvalidProducerEpochException("the producer has an old epoch"));
                callback.onCompletion(null, failure);
            });
        }

        private void answer(Runnable completion) {
            if (state != State.CLOSED && unanswered.remove(this)) {
                completion.run();
                kafka.caller().signal();
            }
        }
    }

    private void require(State expected) {
        if (state != expected) {
            throw new IllegalStateException("the producer is " + state + ", not " + expected);
        }
    }

    /** The first failure of a transaction is the one that counts. */
    private void fail(KafkaException why) {
        if (failure == null) {
            failure = why;
        }
    }

    @Override
    public void initTransactions() {
        kafka.request();
        boolean[] ready = {false};
        FakeProducer taking =
                kafka.topic().initTransactions(transactionalId, () -> ready[0] = true);
        producer = taking;
        if (!kafka.await(() -> ready[0] || taking.isFenced())) {
            throw new TimeoutException("the transactional id was not initialized in time");
        }
        if (taking.isFenced()) {
            throw new ProducerFencedException("another producer has the transactional id");
        }
        state = State.READY;
    }

    @Override
    public void beginTransaction() {
        if (failure != null) {
            throw new KafkaException("the transaction has failed", failure);
        }
        require(State.READY);
        state = State.IN_TRANSACTION;
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> sent, Callback callback) {
        require(State.IN_TRANSACTION);
        expireUnanswered();
        if (failure != null) {
            throw new KafkaException("the transaction has failed", failure);
        }
        CompletableFuture<RecordMetadata> unused = new CompletableFuture<>();
        TopicPartition to = new TopicPartition(sent.topic(), sent.partition());
        if (!sent.topic().equals(SimulatedKafka.TOPIC)) {
            callback.onCompletion(new RecordMetadata(to, -1, 0, 0, 0, 0), null);
            return unused;
        }
        TopicRecord content = content(sent);
        if (bytes(content) > kafka.maxRequestBytes()) {
            fail(new RecordTooLargeException("the record has " + bytes(content) + " bytes"));
            callback.onCompletion(null, failure);
            return unused;
        }
        Sent waiting = new Sent(to, callback);
        unanswered.add(waiting);
        open().send(sent.partition(), content, waiting);
        return unused;
    }

    private static int bytes(TopicRecord content) {
        return content.key().length() + (content.value() == null ? 0 : content.value().length());
    }

    private static TopicRecord content(ProducerRecord<byte[], byte[]> sent) {
        List<TopicRecord.Header> headers = new ArrayList<>();
        for (Header header : sent.headers()) {
            headers.add(
                    new TopicRecord.Header(
                            header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        }
        return new TopicRecord(
                Bytes.wrap(sent.key()),
                sent.value() == null ? null : Bytes.wrap(sent.value()),
                headers);
    }

    /** Gives up records that had no answer in time; they may be in the log, or arrive there. */
    private void expireUnanswered() {
        if (unanswered.isEmpty()) {
            return;
        }
        long since = unanswered.iterator().next().atMillis;
        if (kafka.scheduler().nowMillis() - since >= SimulatedKafka.TIMEOUT_MILLIS) {
            fail(new TimeoutException("not delivered in time"));
            List<Sent> lost = List.copyOf(unanswered);
            unanswered.clear();
            lost.forEach(each -> each.callback.onCompletion(null, failure));
        }
    }

    @Override
    public List<PartitionInfo> partitionsFor(String name) {
        return IntStream.range(0, kafka.topic().partitions().size())
                .mapToObj(partition -> new PartitionInfo(name, partition, null, null, null))
                .toList();
    }

    @Override
    public void flush() {
        boolean unused =
                kafka.await(() -> {
                    expireUnanswered();
                    return unanswered.isEmpty();
                });
        expireUnanswered();
    }

    @Override
    public void commitTransaction() {
        require(State.IN_TRANSACTION);
        flush();
        if (failure instanceof InvalidProducerEpochException) {
            throw failure;
        }
        if (failure != null) {
            throw new KafkaException("the transaction has failed", failure);
        }
        state = State.COMMIT_UNANSWERED;
        kafka.request();
        boolean[] committed = {false};
        open().commit(() -> committed[0] = true);
        if (!kafka.await(() -> committed[0] || open().isFenced())) {
            throw new TimeoutException("the commit was not confirmed in time");
        }
        if (!committed[0]) {
            state = State.FAILED;
            failure =
                    open().isTimedOut()
                            ? new InvalidTxnStateException("the transaction took too long")
                            : new ProducerFencedException("another producer has the id");
            throw failure;
        }
        kafka.request();
        state = State.READY;
    }

    @Override
    public void abortTransaction() {
        if (state == State.FAILED) {
            throw failure instanceof ProducerFencedException
                    ? new ProducerFencedException("another producer has the id")
                    : new KafkaException("the producer has failed", failure);
        }
        require(State.IN_TRANSACTION);
        kafka.request();
        if (open().isReplaced()) {
            state = State.FAILED;
            failure = new ProducerFencedException("another producer has the transactional id");
            throw failure;
        }
        unanswered.clear();
        boolean[] arrived = {false};
        open().flush(() -> arrived[0] = true);
        if (!kafka.await(() -> arrived[0])) {
            throw new TimeoutException("the records in flight were not answered in time");
        }
        failure = null;
        open().abort();
        state = State.READY;
    }

    public boolean isFenced() {
        return producer != null && producer.isFenced();
    }

    private FakeProducer open() {
        FakeProducer open = producer;
        if (open == null) {
            throw new IllegalStateException("no transactions were initialized");
        }
        return open;
    }

    /** The process dies: its transaction stays open, and a part of what it sent may arrive. */
    public void crash() {
        state = State.CLOSED;
        if (producer != null) {
            producer.crash();
        }
    }

    /** Aborts the open transaction, if there is time and the broker can be reached. */
    @Override
    public void close(Duration timeout) {
        boolean aborts =
                state == State.IN_TRANSACTION && !timeout.isZero() && kafka.topic().isReachable();
        if (aborts) {
            open().abort();
            open().close();
            state = State.CLOSED;
        } else {
            crash();
        }
    }
}
