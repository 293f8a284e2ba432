package io.tidemark.streams.replica;

import io.tidemark.reading.CorruptBatchSkippingConsumer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads a partition of the mirror topic again, beside Streams.
 *
 * @param settings of the consumer
 * @param passed collects the corrupt ranges that were skipped
 */
public record TopicReader(String topic, Map<String, Object> settings, SkippedRanges passed) {
    private static final Duration POLL = Duration.ofMillis(500);

    /** Receives the records. */
    @FunctionalInterface
    interface Sink {
        /**
         * @param position the consumer's position after these records
         * @return whether to go on
         */
        boolean take(ConsumerRecords<byte[], byte[]> records, long position);
    }

    /**
     * Reads until the sink returns false.
     *
     * @param fromOffset where to begin; where the partition begins, if that is later
     * @throws org.apache.kafka.common.KafkaException when Kafka cannot be read now
     */
    void read(int partition, long fromOffset, Sink sink) {
        TopicPartition source = new TopicPartition(topic, partition);
        try (CorruptBatchSkippingConsumer consumer =
                new CorruptBatchSkippingConsumer(settings, passed)) {
            consumer.assign(List.of(source));
            consumer.seekToBeginning(List.of(source));
            if (consumer.position(source) < fromOffset) {
                consumer.seek(source, fromOffset);
            }
            boolean more = true;
            while (more) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
                more = sink.take(records, consumer.position(source));
            }
        }
    }
}
