package io.tidemark.streams.group;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Offsets that the group has committed, as of some time ago; they only rise. Streams' assignor
 * takes a replica that is ahead of the committed offset for a corrupt one, and replicas are ahead:
 * so a store that is opened states no later offset than these. Streams then delivers some records
 * again, which the store drops. Thread-safe.
 */
public final class GroupCommits {
    private static final long TIMEOUT_SECONDS = 20;

    /** By partition: the offset of the next record to process. */
    private final Map<Integer, Long> committed = new ConcurrentHashMap<>();

    /**
     * Reads the group's committed offsets from the brokers.
     *
     * @throws ExecutionException when they may not be read, or no broker answers
     */
    public void read(Admin admin, String group, String topic)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<TopicPartition, OffsetAndMetadata> answer =
                admin.listConsumerGroupOffsets(group)
                        .partitionsToOffsetAndMetadata(group)
                        .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        answer.forEach((partition, next) -> {
            if (partition.topic().equals(topic) && next != null) {
                processed(partition.partition(), next.offset() - 1);
            }
        });
    }

    /** Records that the group has committed this record; a negative offset is ignored. */
    public void processed(int partition, long offset) {
        if (offset >= 0) {
            committed.merge(partition, offset + 1, Math::max);
        }
    }

    /** Whether the group has committed an offset of this partition. */
    public boolean isKnown(int partition) {
        return committed.containsKey(partition);
    }

    /** A record's offset, or the last committed one before it; unchanged when none is known. */
    public long atMost(int partition, long offset) {
        return Math.min(offset, committed.getOrDefault(partition, Long.MAX_VALUE) - 1);
    }
}
