package io.tidemark.streams;

import java.lang.reflect.Constructor;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.internals.CoordinatorKey;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.jspecify.annotations.Nullable;

/**
 * An admin client that finds no committed offsets of a group for a while, as when the group's
 * coordinator moves (KAFKA-20416).
 */
final class ForgetfulAdmin extends ForwardingAdmin {
    private final AtomicBoolean forgets;
    private final AtomicInteger forgotten;

    /**
     * @param forgets whether it finds none now
     * @param forgotten counts the answers without offsets
     */
    ForgetfulAdmin(Map<String, Object> config, AtomicBoolean forgets, AtomicInteger forgotten) {
        super(config);
        this.forgets = forgets;
        this.forgotten = forgotten;
    }

    @Override
    public ListConsumerGroupOffsetsResult listConsumerGroupOffsets(
            Map<String, ListConsumerGroupOffsetsSpec> groups,
            ListConsumerGroupOffsetsOptions options) {
        if (!forgets.get()) {
            return super.listConsumerGroupOffsets(groups, options);
        }
        forgotten.incrementAndGet();
        Map<CoordinatorKey, KafkaFuture<Map<TopicPartition, OffsetAndMetadata>>> answers =
                new HashMap<>();
        groups.forEach((group, asked) ->
                answers.put(CoordinatorKey.byGroupId(group), none(asked.topicPartitions())));
        try {
            Constructor<ListConsumerGroupOffsetsResult> constructor =
                    ListConsumerGroupOffsetsResult.class.getDeclaredConstructor(Map.class);
            constructor.setAccessible(true);
            return constructor.newInstance(answers);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void registerMetricForSubscription(KafkaMetric metric) {}

    @Override
    public void unregisterMetricFromSubscription(KafkaMetric metric) {}

    private static KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> none(
            Collection<TopicPartition> partitions) {
        Map<TopicPartition, @Nullable OffsetAndMetadata> offsets = new HashMap<>();
        partitions.forEach(each -> offsets.put(each, null));
        return KafkaFuture.completedFuture(offsets);
    }
}
