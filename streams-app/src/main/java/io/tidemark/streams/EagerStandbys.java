package io.tidemark.streams;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.internals.CoordinatorKey;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.streams.processor.StandbyUpdateListener;
import org.apache.kafka.streams.processor.TaskId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets standby copies follow the topic to its end. Streams holds the standby of a source topic back
 * at the group's committed offset, so that it never knows more than its owner had processed. Here
 * every copy is a fold over the topic and drops what it has seen, so that knowing more does no
 * harm; and a copy that does not wait for its owner's commits goes on when the owner dies, while
 * the group finds another.
 *
 * <p>Streams asks its admin client for those offsets. For partitions that are followed here, this
 * one answers that everything is committed. An owner's restore is asked about truly: it ends where
 * the owner then begins to read.
 */
final class EagerStandbys implements StandbyUpdateListener {
    private static final Logger LOG = LoggerFactory.getLogger(EagerStandbys.class);

    private final Set<TopicPartition> followed = ConcurrentHashMap.newKeySet();

    Admin admin(Map<String, Object> config) {
        return new EagerAdmin(config);
    }

    @Override
    public void onUpdateStart(TopicPartition partition, String store, long startingOffset) {
        followed.add(partition);
    }

    @Override
    public void onBatchLoaded(
            TopicPartition partition,
            String store,
            TaskId task,
            long endOffset,
            long batchSize,
            long currentEndOffset) {
        // Nothing to do.
    }

    @Override
    public void onUpdateSuspended(
            TopicPartition partition,
            String store,
            long storeOffset,
            long currentEndOffset,
            SuspendReason reason) {
        followed.remove(partition);
    }

    /** What was committed, and everything where a standby follows. */
    Map<TopicPartition, OffsetAndMetadata> unlimited(
            Map<TopicPartition, OffsetAndMetadata> committed) {
        Map<TopicPartition, OffsetAndMetadata> answer = new HashMap<>(committed);
        answer.replaceAll((partition, offset) ->
                followed.contains(partition) ? new OffsetAndMetadata(Long.MAX_VALUE) : offset);
        return answer;
    }

    private final class EagerAdmin extends ForwardingAdmin {
        EagerAdmin(Map<String, Object> config) {
            super(config);
        }

        @Override
        public ListConsumerGroupOffsetsResult listConsumerGroupOffsets(
                Map<String, ListConsumerGroupOffsetsSpec> groups,
                ListConsumerGroupOffsetsOptions options) {
            ListConsumerGroupOffsetsResult truth = super.listConsumerGroupOffsets(groups, options);
            Map<CoordinatorKey, KafkaFuture<Map<TopicPartition, OffsetAndMetadata>>> futures =
                    new HashMap<>();
            for (String group : groups.keySet()) {
                futures.put(
                        CoordinatorKey.byGroupId(group),
                        truth.partitionsToOffsetAndMetadata(group)
                                .thenApply(EagerStandbys.this::unlimited));
            }
            return resultOf(futures, truth);
        }

        /** The base class refuses; and nothing is pushed to the broker anyway. */
        @Override
        public void registerMetricForSubscription(KafkaMetric metric) {}

        @Override
        public void unregisterMetricFromSubscription(KafkaMetric metric) {}
    }

    /** Kafka makes such results only itself: where it cannot be done, standbys follow commits. */
    private static ListConsumerGroupOffsetsResult resultOf(
            Map<CoordinatorKey, KafkaFuture<Map<TopicPartition, OffsetAndMetadata>>> futures,
            ListConsumerGroupOffsetsResult otherwise) {
        try {
            var constructor =
                    ListConsumerGroupOffsetsResult.class.getDeclaredConstructor(Map.class);
            constructor.setAccessible(true);
            return constructor.newInstance(futures);
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.debug("standbys follow what is committed", e);
            return otherwise;
        }
    }
}
