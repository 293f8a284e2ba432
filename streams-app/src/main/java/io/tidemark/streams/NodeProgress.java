package io.tidemark.streams;

import java.util.List;

/**
 * What a node is doing, and how far its partitions are restored.
 *
 * @param detail in words, such as what it waits for or why it failed; may be empty
 * @param partitions those on this node, in order
 */
public record NodeProgress(Phase phase, String detail, List<Partition> partitions) {
    /** The phases of a node, in order; the last two are final. */
    public enum Phase {
        NEW,
        /** Kafka does not answer, or the mirror topic does not exist yet. */
        WAITING_FOR_TOPIC,
        /** It joins the group, and reads partitions up to their end. */
        RESTORING,
        /** All its partitions have reached the end of the topic as it was when they were opened. */
        RUNNING,
        /** Kafka Streams has stopped after an error; only a restart of the process helps. */
        FAILED,
        CLOSED
    }

    /**
     * @param restored and {@code total}: counted in offsets, so compacted records count too
     */
    public record Partition(int partition, long restored, long total, boolean ready) {
        /** Offsets still to read; 0 when restored. */
        public long remaining() {
            return Math.max(0, total - restored);
        }
    }

    public NodeProgress {
        partitions = List.copyOf(partitions);
    }

    /** Offsets read, of all partitions here. */
    public long restored() {
        return partitions.stream().mapToLong(Partition::restored).sum();
    }

    /** Offsets to read, of all partitions here. */
    public long total() {
        return partitions.stream().mapToLong(Partition::total).sum();
    }
}
