package io.tidemark.simulation.kafka;

import io.tidemark.reading.CorruptRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * A consumer of the fake topic without a group; of any other topic, it finds one empty partition.
 */
public final class SimulatedConsumer extends MockConsumer<byte[], byte[]> {
    private static final int MAX_RECORDS = 40;
    private static final long FETCH_MILLIS = 5;

    private final SimulatedKafka kafka;
    private final boolean committedOnly;
    private final Consumer<CorruptRange> corruptRanges;

    /** The assigned partitions, with the offset of the next record to read. */
    private final Map<TopicPartition, Long> positions = new LinkedHashMap<>();

    private final Set<TopicPartition> paused = new HashSet<>();

    /**
     * @param corruptRanges takes note of what cannot be read, before what follows is read
     */
    public SimulatedConsumer(
            SimulatedKafka kafka, boolean committedOnly, Consumer<CorruptRange> corruptRanges) {
        super("earliest");
        this.corruptRanges = corruptRanges;
        this.kafka = kafka;
        this.committedOnly = committedOnly;
    }

    private static boolean isMirror(String topic) {
        return topic.equals(SimulatedKafka.TOPIC);
    }

    private FakePartition log(int partition) {
        return kafka.topic().partitions().get(partition);
    }

    private long end(int partition) {
        FakePartition log = log(partition);
        return committedOnly ? log.lastStableOffset() : log.endOffset();
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
        kafka.request();
        int count = isMirror(topic) ? kafka.topic().partitions().size() : 1;
        return IntStream.range(0, count)
                .mapToObj(partition -> new PartitionInfo(topic, partition, null, null, null))
                .toList();
    }

    @Override
    public void assign(Collection<TopicPartition> partitions) {
        positions.keySet().retainAll(partitions);
        paused.retainAll(partitions);
        partitions.forEach(each -> positions.putIfAbsent(each, 0L));
    }

    private void requireAssigned(TopicPartition partition) {
        if (!positions.containsKey(partition)) {
            throw new IllegalStateException(partition + " is not assigned");
        }
    }

    @Override
    public void pause(Collection<TopicPartition> partitions) {
        partitions.forEach(this::requireAssigned);
        paused.addAll(partitions);
    }

    @Override
    public void resume(Collection<TopicPartition> partitions) {
        partitions.forEach(this::requireAssigned);
        paused.removeAll(partitions);
    }

    @Override
    public void seek(TopicPartition partition, long offset) {
        requireAssigned(partition);
        positions.put(partition, offset);
    }

    @Override
    public long position(TopicPartition partition) {
        requireAssigned(partition);
        return positions.getOrDefault(partition, 0L);
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions) {
        return offsets(partitions, _ -> 0);
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
        return offsets(partitions, each -> isMirror(each.topic()) ? end(each.partition()) : 0);
    }

    private Map<TopicPartition, Long> offsets(
            Collection<TopicPartition> partitions, ToLongFunction<TopicPartition> offset) {
        kafka.request();
        Map<TopicPartition, Long> offsets = new HashMap<>();
        partitions.forEach(each -> offsets.put(each, offset.applyAsLong(each)));
        return offsets;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        if (positions.isEmpty()) {
            throw new IllegalStateException("no partition is assigned");
        }
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> found = new HashMap<>();
        boolean some = kafka.topic().isReachable() && fetch(found);
        kafka.caller().sleep(some ? kafka.scheduler().between(0, 2) : FETCH_MILLIS);
        return new ConsumerRecords<>(found, Map.of());
    }

    /** Whether any position has moved. */
    private boolean fetch(Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> found) {
        boolean moved = false;
        for (Map.Entry<TopicPartition, Long> each : positions.entrySet()) {
            TopicPartition from = each.getKey();
            if (isMirror(from.topic()) && !paused.contains(from)) {
                long before = each.getValue();
                List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
                each.setValue(fetch(from.partition(), before, records));
                log(from.partition()).reportCorruptRanges(before, each.getValue(), corruptRanges);
                moved |= each.getValue() != before;
                if (!records.isEmpty()) {
                    found.put(from, records);
                }
            }
        }
        return moved;
    }

    /** Returns the next offset; that of the beginning when there is none after the last one. */
    private long fetch(int partition, long from, List<ConsumerRecord<byte[], byte[]>> converted) {
        if (from > log(partition).endOffset()) {
            return 0;
        }
        List<LogRecord> records = log(partition).read(from, MAX_RECORDS, committedOnly);
        records.forEach(each -> converted.add(each.consumed(partition)));
        return records.size() < MAX_RECORDS
                ? Math.max(from, end(partition))
                : records.getLast().offset() + 1;
    }

    @Override
    public void close(CloseOptions options) {}
}
