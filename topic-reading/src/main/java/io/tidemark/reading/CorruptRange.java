package io.tidemark.reading;

import org.apache.kafka.common.TopicPartition;

/**
 * Offsets of a partition that a reader skipped because they are corrupt: one batch, or several
 * adjacent ones.
 *
 * @param partition the partition
 * @param from the reader's position: everything before it was read
 * @param toExclusive where reading continues
 * @param why Kafka's error message about the first batch
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
