package io.tidemark.streams;

import io.tidemark.reading.CorruptBatchSkippingConsumer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads a partition of the mirror topic again, besides what Streams reads.
 *
 * @param settings of the consumer
 * @param passed hears what is damaged, and passed over
 */
record TopicReader(String topic, Map<String, Object> settings, SkippedRanges passed) {
    private static final Duration POLL = Duration.ofMillis(500);

    /** Takes what was read. */
    @FunctionalInterface
    interface Sink {
        /**
         * @param position the offset behind the last of these, and behind what is no record
         * @return whether to go on
         */
        boolean take(ConsumerRecords<byte[], byte[]> records, long position);
    }

    /**
     * Reads until the sink has had enough.
     *
     * @param fromOffset where to begin; where the partition begins, if that is later
     * @throws org.apache.kafka.common.KafkaException when Kafka cannot be read now
     */
    void read(int partition, long fromOffset, Sink sink) {
        TopicPartition wanted = new TopicPartition(topic, partition);
        try (CorruptBatchSkippingConsumer consumer =
                new CorruptBatchSkippingConsumer(settings, passed)) {
            consumer.assign(List.of(wanted));
            consumer.seekToBeginning(List.of(wanted));
            if (consumer.position(wanted) < fromOffset) {
                consumer.seek(wanted, fromOffset);
            }
            boolean more = true;
            while (more) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
                more = sink.take(records, consumer.position(wanted));
            }
        }
    }
}
