package io.tidemark.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.sink.TopicClients.Isolation;
import io.tidemark.reading.CorruptRange;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** What the contracts of producers and of consumers share. */
abstract class TopicContract {
    static final Duration POLL = Duration.ofMillis(200);
    private static final Duration CLOSE = Duration.ofSeconds(2);
    private static final String WRITER = "writer";

    private final List<Producer<byte[], byte[]>> producers = new ArrayList<>();

    abstract TopicUnderTest topic();

    @AfterEach
    final void closeProducers() {
        producers.forEach(producer -> producer.close(Duration.ZERO));
    }

    /** The writer; it fences the one before. */
    final Producer<byte[], byte[]> producer() {
        Producer<byte[], byte[]> producer = topic().clients().producer(WRITER);
        producers.add(producer);
        producer.initTransactions();
        return producer;
    }

    /** Another writer, which is not initialized. */
    final Producer<byte[], byte[]> newProducer() {
        Producer<byte[], byte[]> producer = topic().clients().producer(WRITER);
        producers.add(producer);
        return producer;
    }

    final Sent send(
            Producer<byte[], byte[]> producer, int partition, String key, @Nullable String value) {
        Sent sent = new Sent();
        var unused =
                producer.send(
                        new ProducerRecord<>(
                                topic().name(),
                                partition,
                                bytes(key),
                                value == null ? null : bytes(value)),
                        (metadata, failure) -> {
                            sent.failure = failure;
                            sent.offset = failure == null ? metadata.offset() : -1;
                            sent.answered = true;
                        });
        return sent;
    }

    /** The answer to a record that was sent; the producer's callbacks write it. */
    static final class Sent {
        private volatile boolean answered;
        private volatile @Nullable Exception failure;
        private volatile long offset;

        boolean isAnswered() {
            return answered;
        }

        @Nullable Exception failure() {
            return failure;
        }

        long offset() {
            return offset;
        }
    }

    /** Commits one record in a separate transaction. */
    final void commit(
            Producer<byte[], byte[]> producer, int partition, String key, @Nullable String value) {
        producer.beginTransaction();
        Sent unused = send(producer, partition, key, value);
        producer.commitTransaction();
    }

    final TopicPartition partition(int number) {
        return new TopicPartition(topic().name(), number);
    }

    /** The offset after the last record, as a reader sees it. */
    final long end(Isolation isolation, int partition) {
        try (Open open = open(isolation)) {
            open.consumer.assign(List.of(partition(partition)));
            return open.consumer
                    .endOffsets(List.of(partition(partition)))
                    .get(partition(partition));
        }
    }

    /** Markers are written after the producer has its answer. */
    final void awaitEnd(Isolation isolation, int partition, long offset) {
        long[] last = {0};
        boolean reached =
                topic().await(() -> {
                    last[0] = end(isolation, partition);
                    return last[0] == offset;
                });
        assertThat(reached).as("the end was %d and not %d", last[0], offset).isTrue();
    }

    /** All records of a partition that a reader sees, as {@code offset:key=value}. */
    final List<String> records(Isolation isolation, int partition) {
        try (Open open = open(isolation)) {
            Consumer<byte[], byte[]> consumer = open.consumer;
            TopicPartition of = partition(partition);
            consumer.assign(List.of(of));
            long end = consumer.endOffsets(List.of(of)).get(of);
            return readTo(consumer, of, end);
        }
    }

    /** Reads from the consumer's position to an offset. */
    final List<String> readTo(Consumer<byte[], byte[]> consumer, TopicPartition of, long end) {
        List<String> found = new ArrayList<>();
        boolean read =
                topic().await(() -> {
                    consumer.poll(POLL).records(of).forEach(record -> found.add(text(record)));
                    return consumer.position(of) >= end;
                });
        assertThat(read).as("%s to %d: %s", of, end, found).isTrue();
        return found;
    }

    private static String text(ConsumerRecord<byte[], byte[]> record) {
        return "%d:%s=%s"
                .formatted(
                        record.offset(),
                        text(record.key()),
                        record.value() == null ? "" : text(record.value()));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    final Open open(Isolation isolation) {
        return open(isolation, _ -> {});
    }

    /**
     * @param corruptRanges takes note of what cannot be read
     */
    final Open open(Isolation isolation, java.util.function.Consumer<CorruptRange> corruptRanges) {
        return new Open(topic().clients().consumer(isolation, corruptRanges));
    }

    /** A consumer that is closed as production closes it. */
    record Open(Consumer<byte[], byte[]> consumer) implements AutoCloseable {
        @Override
        public void close() {
            consumer.close(CloseOptions.timeout(CLOSE));
        }
    }
}
