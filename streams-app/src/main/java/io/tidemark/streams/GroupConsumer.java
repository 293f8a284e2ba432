package io.tidemark.streams;

import io.tidemark.reading.PassingConsumer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * The consumer by which a node is a member of the group. While the group's leader deals partitions
 * out, within a {@link #poll}, Streams compares where copies stand with what was committed, and
 * takes one that stands further for damaged. Copies do stand further, see {@link EagerStandbys}: so
 * then the topic's end is told instead. At all other times it is the truth.
 */
final class GroupConsumer extends PassingConsumer {
    /** Touched by the one thread that uses a consumer. */
    private boolean polling;

    GroupConsumer(Map<String, Object> config, PassedOver passed) {
        super(config, passed);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        polling = true;
        try {
            return super.poll(timeout);
        } finally {
            polling = false;
        }
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> committed = super.committed(partitions);
        if (!polling) {
            return committed;
        }
        Map<TopicPartition, OffsetAndMetadata> ends = new HashMap<>(committed);
        endOffsets(partitions).forEach((p, end) -> ends.put(p, new OffsetAndMetadata(end)));
        return ends;
    }
}
