package io.tidemark.streams;

import io.tidemark.store.PartitionStore;
import io.tidemark.streams.replica.OpenPartitions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that a store has applied all that its partition held when the store was opened, and marks
 * it as caught up. (Streams reports the end of a restore, but a node's first read of the topic is
 * not a restore.) One thread calls {@link #check}; any thread may call {@link #progress}.
 *
 * <p>A partition may end in offsets without records (transaction markers, compacted records). When
 * a store makes no progress before the end offset, a probe consumer reads on from its position: if
 * nothing comes before the end, the store has reached it.
 */
final class CatchUpMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(CatchUpMonitor.class);

    /** Later answers are looked at by the next check. */
    private static final Duration ANSWERED_WITHIN = Duration.ofMillis(500);

    /** After a partition could not be measured. */
    private static final Duration MEASURE_AGAIN = Duration.ofSeconds(5);

    private static final Duration PROBE = Duration.ofMillis(500);

    private final String topic;
    private final Function<Map<TopicPartition, OffsetSpec>, ListOffsetsResult> offsets;
    private final Consumer<byte[], byte[]> probe;
    private final OpenPartitions open;
    private final InstantSource clock;
    private final Map<Integer, Target> targets = new ConcurrentHashMap<>();

    /** Only of the thread that checks. */
    private final Map<Integer, Asked> asked = new HashMap<>();

    /** After a failure, not before this time, by {@link System#nanoTime}. */
    private final Map<Integer, Long> measureAt = new HashMap<>();

    /**
     * The offsets at which the partition began and ended when this store was first seen.
     *
     * @param applied the store's applied offset at the last check
     * @param reached whether the store was marked as caught up
     */
    private record Target(
            PartitionStore store, long begin, long end, long applied, boolean reached) {}

    /**
     * A question that Kafka has not answered yet; its admin client bounds how long that takes.
     *
     * @param store the store that was open then
     * @param askedMillis time of the question
     */
    private record Asked(
            PartitionStore store,
            long askedMillis,
            KafkaFuture<ListOffsetsResultInfo> begin,
            KafkaFuture<ListOffsetsResultInfo> end) {}

    /**
     * @param offsets asks Kafka for offsets, such as {@link Admin#listOffsets(Map)}
     */
    CatchUpMonitor(
            String topic,
            Function<Map<TopicPartition, OffsetSpec>, ListOffsetsResult> offsets,
            Consumer<byte[], byte[]> probe,
            OpenPartitions open,
            InstantSource clock) {
        this.clock = clock;
        this.topic = topic;
        this.offsets = offsets;
        this.probe = probe;
        this.open = open;
    }

    /**
     * Compares every store that is not ready with its target once. Waits for Kafka for a moment at
     * most: a partition without a leader does not delay the others.
     */
    void check() throws InterruptedException {
        Map<Integer, PartitionStore> stores = open.stores();
        targets.entrySet()
                .removeIf(entry -> entry.getValue().store() != stores.get(entry.getKey()));
        asked.entrySet().removeIf(entry -> entry.getValue().store() != stores.get(entry.getKey()));
        measure(stores);
        for (Map.Entry<Integer, Asked> entry : Map.copyOf(asked).entrySet()) {
            if (isMeasured(entry.getKey(), entry.getValue())) {
                asked.remove(entry.getKey());
            }
        }
        for (Map.Entry<Integer, PartitionStore> entry : stores.entrySet()) {
            if (!entry.getValue().isCaughtUp()) {
                compareIfReadable(entry.getKey(), entry.getValue());
            }
        }
    }

    /** Asks for the ends of all partitions that need them, in one request. */
    private void measure(Map<Integer, PartitionStore> stores) throws InterruptedException {
        long askedMillis = clock.millis();
        Map<Integer, PartitionStore> unknown = new HashMap<>(stores);
        unknown.keySet().removeIf(asked::containsKey);
        measureAt.values().removeIf(after -> System.nanoTime() - after >= 0);
        unknown.keySet().removeAll(measureAt.keySet());
        unknown.entrySet()
                .removeIf(entry -> isKnown(targets.get(entry.getKey()), entry.getValue()));
        if (unknown.isEmpty()) {
            return;
        }
        ListOffsetsResult begins = offsets.apply(request(unknown.keySet(), OffsetSpec.earliest()));
        ListOffsetsResult ends = offsets.apply(request(unknown.keySet(), OffsetSpec.latest()));
        List<KafkaFuture<?>> awaited = new ArrayList<>();
        unknown.forEach((partition, store) -> {
            TopicPartition of = new TopicPartition(topic, partition);
            Asked about =
                    new Asked(
                            store,
                            askedMillis,
                            begins.partitionResult(of),
                            ends.partitionResult(of));
            asked.put(partition, about);
            awaited.add(about.begin());
            awaited.add(about.end());
        });
        await(KafkaFuture.allOf(awaited.toArray(new KafkaFuture<?>[0])));
    }

    private static boolean isKnown(@Nullable Target target, PartitionStore store) {
        return target != null && (!target.reached() || store.isCaughtUp());
    }

    private Map<TopicPartition, OffsetSpec> request(Set<Integer> partitions, OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> request = new HashMap<>();
        partitions.forEach(each -> request.put(new TopicPartition(topic, each), spec));
        return request;
    }

    /** So that a store is ready at once in most cases, and not with the next check. */
    private static void await(KafkaFuture<Void> all) throws InterruptedException {
        try {
            all.get(ANSWERED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException _) {
            LOG.debug("the end of a partition is not known yet");
        }
    }

    /** Takes the answers over, once both are there. */
    private boolean isMeasured(int partition, Asked about) throws InterruptedException {
        if (!about.begin().isDone() || !about.end().isDone()) {
            return false;
        }
        try {
            long begin = about.begin().get().offset();
            long end = about.end().get().offset();
            about.store().observeTopicEnd(end, about.askedMillis());
            targets.put(partition, new Target(about.store(), begin, end, Long.MIN_VALUE, false));
        } catch (ExecutionException e) {
            measureLater(partition, e.getCause());
        }
        return true;
    }

    /** A partition with a corrupt end does not delay the others either. */
    private void compareIfReadable(int partition, PartitionStore store) {
        try {
            compare(partition, store);
        } catch (WakeupException e) {
            throw e; // The node is closing.
        } catch (KafkaException e) {
            targets.remove(partition);
            measureLater(partition, e);
        }
    }

    private void measureLater(int partition, @Nullable Throwable why) {
        LOG.info("cannot read the end of {}-{}: {}", topic, partition, String.valueOf(why));
        measureAt.put(partition, System.nanoTime() + MEASURE_AGAIN.toNanos());
    }

    private void compare(int partition, PartitionStore store) {
        Target target = targets.get(partition);
        if (target == null || target.reached()) {
            return; // It has fallen behind since: only a new measurement counts.
        }
        long applied = store.appliedOffset();
        boolean stalled = applied == target.applied();
        if (applied + 1 >= target.end() || (stalled && isEnd(partition, applied + 1, target))) {
            store.markCaughtUp();
            targets.put(partition, new Target(store, target.begin(), target.end(), applied, true));
        } else {
            targets.put(partition, new Target(store, target.begin(), target.end(), applied, false));
        }
    }

    /** Whether no record follows from this offset on. */
    private boolean isEnd(int partition, long fromInclusive, Target target) {
        TopicPartition probed = new TopicPartition(topic, partition);
        probe.assign(List.of(probed));
        probe.seek(probed, Math.max(fromInclusive, target.begin()));
        ConsumerRecords<byte[], byte[]> found = probe.poll(PROBE);
        return found.isEmpty() && probe.position(probed, PROBE) >= target.end();
    }

    /** From the last measurement; without partitions that have not been measured yet. */
    List<NodeProgress.Partition> progress() {
        List<NodeProgress.Partition> progress = new ArrayList<>();
        for (Map.Entry<Integer, Target> entry : new TreeMap<>(targets).entrySet()) {
            Target target = entry.getValue();
            PartitionStore store = target.store();
            long total = target.end() - target.begin();
            long applied = store.appliedOffset() + 1 - target.begin();
            progress.add(
                    new NodeProgress.Partition(
                            entry.getKey(),
                            target.reached() ? total : Math.clamp(applied, 0, total),
                            total,
                            store.state().ready()));
        }
        return progress;
    }
}
