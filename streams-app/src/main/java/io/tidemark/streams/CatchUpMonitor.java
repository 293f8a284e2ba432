package io.tidemark.streams;

import io.tidemark.store.PartitionStore;
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
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which stores have applied all that their partition held when they were opened, and
 * tells them. Streams says so of a restore, but a node's first reading of the topic is no restore
 * to it. Checked by one thread; its progress may be asked for by any.
 *
 * <p>A partition may end in offsets that are no records (the ends of transactions, and what
 * compaction took), so a store that stands still before the end is compared by reading on from
 * where it is: when nothing comes until the end, it was the end.
 */
final class CatchUpMonitor {
    private static final long TIMEOUT_SECONDS = 20;
    private static final Duration PROBE = Duration.ofMillis(500);

    private final String topic;
    private final Admin admin;
    private final Consumer<byte[], byte[]> probe;
    private final OpenPartitions open;
    private final InstantSource clock;
    private final Map<Integer, Target> targets = new ConcurrentHashMap<>();

    /**
     * Where the partition began and ended when this store was seen to need it.
     *
     * @param applied what the store had applied when it was last looked at
     * @param reached whether it has been told
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

    /** Looks once at every store that is not ready. */
    void check() throws InterruptedException, ExecutionException, TimeoutException {
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
        measure(stores, unknown);
        for (Map.Entry<Integer, PartitionStore> entry : stores.entrySet()) {
            if (!entry.getValue().isCaughtUp()) {
                compare(entry.getKey(), entry.getValue());
            }
        }
    }

    private void measure(Map<Integer, PartitionStore> stores, List<Integer> partitions)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (partitions.isEmpty()) {
            return;
        }
        long askedMillis = clock.millis();
        Map<Integer, Long> begins = offsets(partitions, OffsetSpec.earliest());
        Map<Integer, Long> ends = offsets(partitions, OffsetSpec.latest());
        for (int partition : partitions) {
            @Nullable PartitionStore store = stores.get(partition);
            if (store != null) {
                store.observeTopicEnd(ends.getOrDefault(partition, Long.MAX_VALUE), askedMillis);
                targets.put(
                        partition,
                        new Target(
                                store,
                                begins.getOrDefault(partition, 0L),
                                ends.getOrDefault(partition, 0L),
                                Long.MIN_VALUE,
                                false));
            }
        }
    }

    private Map<Integer, Long> offsets(List<Integer> partitions, OffsetSpec which)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        partitions.forEach(each -> wanted.put(new TopicPartition(topic, each), which));
        Map<TopicPartition, ListOffsetsResultInfo> found =
                admin.listOffsets(wanted).all().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        Map<Integer, Long> offsets = new HashMap<>();
        found.forEach((each, info) -> offsets.put(each.partition(), info.offset()));
        return offsets;
    }

    private void compare(int partition, PartitionStore store) {
        Target target = targets.get(partition);
        if (target == null) {
            return;
        }
        long applied = store.appliedOffset();
        boolean standsStill = applied == target.applied();
        if (applied + 1 >= target.end() || (standsStill && isEnd(partition, applied + 1, target))) {
            store.markCaughtUp();
            targets.put(partition, new Target(store, target.begin(), target.end(), applied, true));
        } else {
            targets.put(partition, new Target(store, target.begin(), target.end(), applied, false));
        }
    }

    /** Whether there is no record from an offset to the end. */
    private boolean isEnd(int partition, long fromInclusive, Target target) {
        TopicPartition wanted = new TopicPartition(topic, partition);
        probe.assign(List.of(wanted));
        probe.seek(wanted, Math.max(fromInclusive, target.begin()));
        ConsumerRecords<byte[], byte[]> found = probe.poll(PROBE);
        return found.isEmpty() && probe.position(wanted, PROBE) >= target.end();
    }

    /** By what was measured last; partitions that have not been measured are left out. */
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
