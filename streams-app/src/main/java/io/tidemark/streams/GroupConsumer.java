package io.tidemark.streams;

import io.tidemark.reading.CorruptBatchSkippingConsumer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.internals.StreamsPartitionAssignor;

/**
 * The consumer by which a node is a member of the group. While the group's leader deals partitions
 * out, Streams compares where copies stand with what was committed, and takes one that stands
 * further for damaged. Copies do stand further, see {@link EagerStandbys}: so the assignor is told
 * the topic's end instead. Everybody else is told the truth.
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
     * The assignor runs within whatever call of this consumer the group's answers come in: a poll,
     * a commit, the question for a position. So who asks is told by nothing but the stack.
     */
    private static boolean isForAssignor() {
        return STACK.walk(frames ->
                frames.map(StackWalker.StackFrame::getDeclaringClass)
                        .anyMatch(StreamsPartitionAssignor.class::isAssignableFrom));
    }
}
