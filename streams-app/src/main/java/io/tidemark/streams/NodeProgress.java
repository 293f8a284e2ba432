package io.tidemark.streams;

import java.util.List;

/**
 * How far a node is.
 *
 * @param detail in words, such as what it waits for or why it failed; may be empty
 * @param partitions those that are on this node, in order
 */
public record NodeProgress(Phase phase, String detail, List<Partition> partitions) {
    /** What a node is doing. */
    public enum Phase {
        NEW,
        /** Kafka does not answer, or the mirror topic is not there yet. */
        WAITING_FOR_TOPIC,
        /** It joins the group, and reads partitions up to their end. */
        RESTORING,
        /** All its partitions have reached the end of the topic as it was when they were opened. */
        RUNNING,
        /** It ended by itself, and will not come back. */
        FAILED,
        CLOSED
    }

    /**
     * One partition.
     *
     * @param restored and {@code total}: records, counted by their offsets, so compacted ones are
     *     counted too
     * @param ready whether it answers reads
     */
    public record Partition(int partition, long restored, long total, boolean ready) {
        public long remaining() {
            return Math.max(0, total - restored);
        }
    }

    public NodeProgress {
        partitions = List.copyOf(partitions);
    }

    public long restored() {
        return partitions.stream().mapToLong(Partition::restored).sum();
    }

    public long total() {
        return partitions.stream().mapToLong(Partition::total).sum();
    }
}
