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
 * Lets standby replicas read the topic to its end. Streams stops the standby of a source topic at
 * the group's committed offset, so that it never knows more than its active has processed. Here
 * every replica is a fold over the topic and drops what it has already applied, so reading ahead is
 * harmless; and a standby that does not wait for the active's commits continues when the active
 * dies, while the group elects another.
 *
 * <p>Streams asks its admin client for the committed offsets. For partitions with a standby here,
 * this client answers that everything is committed. For an active's restore it returns the real
 * offset: the restore ends where the active then begins to read. the owner then begins to read.
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

    /** The committed offsets; {@code Long.MAX_VALUE} for partitions with a standby here. */
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
            ListConsumerGroupOffsetsResult actual = super.listConsumerGroupOffsets(groups, options);
            Map<CoordinatorKey, KafkaFuture<Map<TopicPartition, OffsetAndMetadata>>> futures =
                    new HashMap<>();
            for (String group : groups.keySet()) {
                futures.put(
                        CoordinatorKey.byGroupId(group),
                        actual.partitionsToOffsetAndMetadata(group)
                                .thenApply(EagerStandbys.this::unlimited));
            }
            return resultOf(futures, actual);
        }

        /** The base class throws; no client metrics are pushed to the broker anyway. */
        @Override
        public void registerMetricForSubscription(KafkaMetric metric) {}

        @Override
        public void unregisterMetricFromSubscription(KafkaMetric metric) {}
    }

    /** Kafka's constructor is not public: where reflection fails, standbys stop at commits. */
    private static ListConsumerGroupOffsetsResult resultOf(
            Map<CoordinatorKey, KafkaFuture<Map<TopicPartition, OffsetAndMetadata>>> futures,
            ListConsumerGroupOffsetsResult otherwise) {
        try {
            var constructor =
                    ListConsumerGroupOffsetsResult.class.getDeclaredConstructor(Map.class);
            constructor.setAccessible(true);
            return constructor.newInstance(futures);
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.debug("standbys stop at the group's committed offsets", e);
            return otherwise;
        }
    }
}
