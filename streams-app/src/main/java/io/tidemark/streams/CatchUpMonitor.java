package io.tidemark.streams;

import io.tidemark.store.PartitionStore;
import io.tidemark.streams.replica.OpenPartitions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
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
    private static final long TIMEOUT_SECONDS = 20;

    /** After a partition could not be measured. */
    private static final Duration MEASURE_AGAIN = Duration.ofSeconds(5);

    private static final Duration PROBE = Duration.ofMillis(500);

    private final String topic;
    private final Admin admin;
    private final Consumer<byte[], byte[]> probe;
    private final OpenPartitions open;
    private final InstantSource clock;
    private final Map<Integer, Target> targets = new ConcurrentHashMap<>();

    /** Not before this time, by {@link System#nanoTime}. */
    private long measureAt = System.nanoTime();

    /**
     * The offsets at which the partition began and ended when this store was first seen.
     *
     * @param applied the store's applied offset at the last check
     * @param reached whether the store was marked as caught up
     */
    private record Target(
            PartitionStore store, long begin, long end, long applied, boolean reached) {}

    CatchUpMonitor(
            String topic,
            Admin admin,
            Consumer<byte[], byte[]> probe,
            OpenPartitions open,
            InstantSource clock) {
        this.clock = clock;
        this.topic = topic;
        this.admin = admin;
        this.probe = probe;
        this.open = open;
    }

    /** Compares every store that is not ready with its target once. */
    void check() throws InterruptedException, TimeoutException {
        Map<Integer, PartitionStore> stores = open.stores();
        targets.entrySet()
                .removeIf(entry -> entry.getValue().store() != stores.get(entry.getKey()));
        List<Integer> unknown = new ArrayList<>();
        for (Map.Entry<Integer, PartitionStore> entry : stores.entrySet()) {
            @Nullable Target target = targets.get(entry.getKey());
            if (target == null || (target.reached() && !entry.getValue().isCaughtUp())) {
                unknown.add(entry.getKey());
            }
        }
        if (!unknown.isEmpty() && System.nanoTime() - measureAt >= 0) {
            measure(stores, unknown);
        }
        for (Map.Entry<Integer, PartitionStore> entry : stores.entrySet()) {
            if (!entry.getValue().isCaughtUp()) {
                compare(entry.getKey(), entry.getValue());
            }
        }
    }

    private void measure(Map<Integer, PartitionStore> stores, List<Integer> partitions)
            throws InterruptedException, TimeoutException {
        long askedMillis = clock.millis();
        Map<Integer, Long> begins = offsets(partitions, OffsetSpec.earliest());
        Map<Integer, Long> ends = offsets(partitions, OffsetSpec.latest());
        for (int partition : partitions) {
            @Nullable PartitionStore store = stores.get(partition);
            @Nullable Long begin = begins.get(partition);
            @Nullable Long end = ends.get(partition);
            if (store != null && begin != null && end != null) {
                store.observeTopicEnd(end, askedMillis);
                targets.put(partition, new Target(store, begin, end, Long.MIN_VALUE, false));
            } else {
                measureAt = System.nanoTime() + MEASURE_AGAIN.toNanos();
            }
        }
    }

    /** Without the partitions that have no leader: the others need not wait for them. */
    private Map<Integer, Long> offsets(List<Integer> partitions, OffsetSpec spec)
            throws InterruptedException, TimeoutException {
        Map<TopicPartition, OffsetSpec> request = new HashMap<>();
        partitions.forEach(each -> request.put(new TopicPartition(topic, each), spec));
        ListOffsetsResult found = admin.listOffsets(request);
        Map<Integer, Long> offsets = new HashMap<>();
        for (TopicPartition each : request.keySet()) {
            try {
                ListOffsetsResultInfo info =
                        found.partitionResult(each).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                offsets.put(each.partition(), info.offset());
            } catch (ExecutionException e) {
                LOG.info("cannot read the end of {}: {}", each, String.valueOf(e.getCause()));
            }
        }
        return offsets;
    }

    private void compare(int partition, PartitionStore store) {
        Target target = targets.get(partition);
        if (target == null) {
            return;
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
