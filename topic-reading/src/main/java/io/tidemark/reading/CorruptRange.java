package io.tidemark.reading;

import org.apache.kafka.common.TopicPartition;

/**
 * Offsets of a partition that cannot be read, and were passed over: one damaged batch, or several
 * with nothing between them.
 *
 * @param partition where
 * @param from the offset at which a reader stood: all before it was read
 * @param toExclusive where it goes on
 * @param why what Kafka's client says of the first batch
 */
public record CorruptRange(TopicPartition partition, long from, long toExclusive, String why) {
    public CorruptRange {
        if (toExclusive <= from) {
            throw new IllegalArgumentException("from %d to %d".formatted(from, toExclusive));
        }
    }

    @Override
    public String toString() {
        return "%s, offsets %d to %d".formatted(partition, from, toExclusive - 1);
    }
}
