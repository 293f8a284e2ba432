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
 * A consumer that does not stop for ever at a batch whose bytes have changed on the broker's disk,
 * as Kafka's own does. It passes over exactly the damaged batch, logs it, and tells its owner
 * before anything behind it is returned. What was in the batch nobody knows: what it means to lack
 * it is for the owner to say.
 */
public class CorruptBatchSkippingConsumer extends KafkaConsumer<byte[], byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(CorruptBatchSkippingConsumer.class);

    private final Map<String, Object> configs;
    private final Consumer<CorruptRange> passed;

    /**
     * @param configs of the consumer, without deserializers
     * @param passed hears what was passed over, in the thread that polls
     */
    public CorruptBatchSkippingConsumer(
            Map<String, Object> configs, Consumer<CorruptRange> passed) {
        super(configs, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.configs = new HashMap<>(configs);
        this.passed = passed;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        try {
            return super.poll(timeout);
        } catch (KafkaException e) {
            if (!CorruptRangeFinder.mayBeCorruption(e) || !pass()) {
                throw e;
            }
            return ConsumerRecords.empty();
        }
    }

    /** Whether there was anything to be passed. */
    private boolean pass() {
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
        for (CorruptRange damage : found) {
            LOG.error(
                    "{} are damaged in the topic's log and are passed over, what was in them is"
                            + " lost: {}",
                    damage,
                    damage.why());
            passed.accept(damage);
            seek(damage.partition(), damage.toExclusive());
        }
        return !found.isEmpty();
    }
}
