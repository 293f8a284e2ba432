package io.tidemark.simulation.cluster;

import io.tidemark.record.Bytes;
import io.tidemark.record.TopicRecord;
import io.tidemark.simulation.world.FakeProducer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A transactional producer on the fake topic. As Kafka's, it learns from the answer to a later
 * request that it was fenced, or that its transaction took too long, and cannot tell the two apart
 * before it aborts.
 */
final class SimulatedProducer extends MockProducer<byte[], byte[]> {
    private final SimulatedKafka kafka;
    private final String transactionalId;
    private final Set<Sent> unacknowledged = new LinkedHashSet<>();
    private @Nullable FakeProducer producer;
    private @Nullable KafkaException failure;
    private boolean closed;

    SimulatedProducer(SimulatedKafka kafka, String transactionalId) {
        this.kafka = kafka;
        this.transactionalId = transactionalId;
    }

    /** By identity. */
    private static final class Sent {
        private final Callback callback;
        private final long atMillis;

        Sent(Callback callback, long atMillis) {
            this.callback = callback;
            this.atMillis = atMillis;
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
    }

    @Override
    public void beginTransaction() {}

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> sent, Callback callback) {
        CompletableFuture<RecordMetadata> unused = new CompletableFuture<>();
        if (!sent.topic().equals(SimulatedKafka.TOPIC)) {
            callback.onCompletion(null, null);
            return unused;
        }
        detectFailure();
        if (failure != null) {
            callback.onCompletion(null, failure);
            return unused;
        }
        Sent waiting = new Sent(callback, kafka.scheduler().nowMillis());
        unacknowledged.add(waiting);
        open().send(
                        sent.partition(),
                        content(sent),
                        () -> {
                            if (!closed && unacknowledged.remove(waiting)) {
                                callback.onCompletion(null, null);
                                kafka.caller().signal();
                            }
                        });
        return unused;
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

    /** What an answer from the broker would tell. */
    private void detectFailure() {
        if (failure != null || closed) {
            return;
        }
        if (open().isFenced()) {
            failure = new InvalidProducerEpochException("the producer has an old epoch");
        } else if (!unacknowledged.isEmpty()) {
            long since = unacknowledged.iterator().next().atMillis;
            if (kafka.scheduler().nowMillis() - since > SimulatedKafka.TIMEOUT_MILLIS) {
                failure = new TimeoutException("not delivered in time");
            }
        }
        if (failure != null) {
            List<Sent> lost = List.copyOf(unacknowledged);
            unacknowledged.clear();
            lost.forEach(each -> each.callback.onCompletion(null, failure));
        }
    }

    private boolean hasFailed() {
        detectFailure();
        return failure != null;
    }

    @Override
    public void flush() {
        boolean unused = kafka.await(() -> unacknowledged.isEmpty() || hasFailed());
        detectFailure();
    }

    @Override
    public void commitTransaction() {
        flush();
        kafka.request();
        if (hasFailed()) {
            throw new KafkaException("the transaction has failed", failure);
        }
        boolean[] committed = {false};
        open().commit(() -> committed[0] = true);
        if (!kafka.await(() -> committed[0] || hasFailed())) {
            throw new TimeoutException("the commit was not confirmed in time");
        }
        if (!committed[0]) {
            throw new KafkaException("the transaction has failed", failure);
        }
        kafka.request();
    }

    @Override
    public void abortTransaction() {
        kafka.request();
        if (open().isReplaced()) {
            throw new ProducerFencedException("another producer has the transactional id");
        }
        unacknowledged.clear();
        failure = null;
        open().abort();
    }

    boolean isFenced() {
        return producer != null && producer.isFenced();
    }

    private FakeProducer open() {
        FakeProducer open = producer;
        if (open == null) {
            throw new IllegalStateException("no transactions were initialized");
        }
        return open;
    }

    @Override
    public void close(Duration timeout) {
        closed = true;
        if (producer != null) {
            producer.crash();
        }
    }
}
