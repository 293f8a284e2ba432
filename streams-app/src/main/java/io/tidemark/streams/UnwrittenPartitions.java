package io.tidemark.streams;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * Partitions that never had a record, while others had some: they were added, and keys may belong
 * to them that the connector has not written there yet.
 */
final class UnwrittenPartitions {
    /** A partition without a leader does not answer, and was not added lately. */
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(2);

    private UnwrittenPartitions() {}

    /**
     * Empty also while no partition has a record.
     *
     * @param warnings gets which partitions do not answer
     */
    static Set<Integer> find(Admin admin, String topic, int partitions, Consumer<String> warnings)
            throws InterruptedException {
        Map<TopicPartition, OffsetSpec> request = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            request.put(new TopicPartition(topic, partition), OffsetSpec.latest());
        }
        ListOffsetsResult ends = admin.listOffsets(request);
        long deadline = System.nanoTime() + ENDS_WITHIN.toNanos();
        Set<Integer> unwritten = new TreeSet<>();
        for (TopicPartition each : request.keySet()) {
            try {
                long left = deadline - System.nanoTime();
                if (ends.partitionResult(each).get(left, TimeUnit.NANOSECONDS).offset() == 0) {
                    unwritten.add(each.partition());
                }
            } catch (ExecutionException | TimeoutException e) {
                warnings.accept("cannot read the end of partition %s: %s".formatted(each, e));
            }
        }
        return unwritten.size() == partitions ? Set.of() : unwritten;
    }
}
