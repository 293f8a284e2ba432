package io.tidemark.reading;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer that, unlike Kafka's own, gets past a batch that is corrupt on the broker's disk. It
 * skips exactly the corrupt range, logs it, and reports it to its owner before any later record is
 * returned. The lost records are unknown: the owner decides what follows.
 */
public class CorruptBatchSkippingConsumer extends KafkaConsumer<byte[], byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(CorruptBatchSkippingConsumer.class);

    private final Map<String, Object> configs;
    private final Consumer<CorruptRange> onSkipped;

    /**
     * @param configs of the consumer, without deserializers
     * @param onSkipped receives the skipped ranges, in the thread that polls
     */
    public CorruptBatchSkippingConsumer(
            Map<String, Object> configs, Consumer<CorruptRange> onSkipped) {
        super(configs, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.configs = new HashMap<>(configs);
        this.onSkipped = onSkipped;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        try {
            return super.poll(timeout);
        } catch (KafkaException e) {
            if (!CorruptRangeFinder.mayBeCorruption(e) || !skip()) {
                throw e;
            }
            return ConsumerRecords.empty();
        }
    }

    /** Whether a corrupt range was skipped. */
    private boolean skip() {
        Map<TopicPartition, Long> positions = new HashMap<>();
        for (TopicPartition partition : assignment()) {
            if (!paused().contains(partition)) {
                positions.put(partition, position(partition));
            }
        }
        List<CorruptRange> found;
        try (CorruptRangeFinder search = new CorruptRangeFinder(configs)) {
            found = search.at(positions);
        }
        for (CorruptRange range : found) {
            LOG.error(
                    "corrupt range in the topic's log: skipping {}; its records are lost: {}",
                    range,
                    range.why());
            onSkipped.accept(range);
            seek(range.partition(), range.toExclusive());
        }
        return !found.isEmpty();
    }
}
