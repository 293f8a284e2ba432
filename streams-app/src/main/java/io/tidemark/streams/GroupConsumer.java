package io.tidemark.streams;

import io.tidemark.reading.CorruptBatchSkippingConsumer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.internals.StreamsPartitionAssignor;

/**
 * The consumer by which a node is a member of the group. While the group's leader assigns
 * partitions, Streams compares the replicas' offsets with the committed ones, and takes a replica
 * that is ahead for corrupt. Replicas are ahead, see {@link EagerStandbys}: so this consumer gives
 * the assignor the topic's end offsets, and all other callers the committed ones.
 */
final class GroupConsumer extends CorruptBatchSkippingConsumer {
    private static final StackWalker STACK =
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    GroupConsumer(Map<String, Object> config, SkippedRanges passed) {
        super(config, passed);
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> committed = super.committed(partitions);
        if (!isForAssignor()) {
            return committed;
        }
        Map<TopicPartition, OffsetAndMetadata> ends = new HashMap<>(committed);
        endOffsets(partitions).forEach((p, end) -> ends.put(p, new OffsetAndMetadata(end)));
        return ends;
    }

    /**
     * The assignor runs within any call of this consumer that receives the group's responses: a
     * poll, a commit, a position lookup. Only the stack tells that the assignor is the caller.
     */
    private static boolean isForAssignor() {
        return STACK.walk(frames ->
                frames.map(StackWalker.StackFrame::getDeclaringClass)
                        .anyMatch(StreamsPartitionAssignor.class::isAssignableFrom));
    }
}
