package io.tidemark.simulation.cluster;

import io.tidemark.record.TopicRecord;
import io.tidemark.simulation.world.FakePartition;
import io.tidemark.simulation.world.LogRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/**
 * A consumer of the fake topic without a group; of any other topic, it finds one empty partition.
 */
final class SimulatedConsumer extends MockConsumer<byte[], byte[]> {
    private static final int MAX_RECORDS = 40;
    private static final long FETCH_MILLIS = 5;

    private final SimulatedKafka kafka;
    private final boolean committedOnly;

    private final Set<Integer> fetched = new TreeSet<>();
    private final Map<Integer, Long> positions = new TreeMap<>();

    SimulatedConsumer(SimulatedKafka kafka, boolean committedOnly) {
        super("earliest");
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
    public void assign(Collection<TopicPartition> partitions) {}

    @Override
    public void pause(Collection<TopicPartition> partitions) {
        partitions.forEach(each -> fetched.remove(each.partition()));
    }

    @Override
    public void resume(Collection<TopicPartition> partitions) {
        partitions.forEach(each -> fetched.add(each.partition()));
    }

    @Override
    public void seek(TopicPartition partition, long offset) {
        positions.put(partition.partition(), offset);
    }

    @Override
    public long position(TopicPartition partition) {
        return positions.getOrDefault(partition.partition(), 0L);
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
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> found = new HashMap<>();
        boolean some = kafka.topic().isReachable() && fetch(found);
        kafka.caller().sleep(some ? kafka.scheduler().between(0, 2) : FETCH_MILLIS);
        return new ConsumerRecords<>(found, Map.of());
    }

    /** Whether any position has moved. */
    private boolean fetch(Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> found) {
        boolean moved = false;
        for (int partition : fetched) {
            long from = positions.getOrDefault(partition, 0L);
            List<LogRecord> records = log(partition).read(from, MAX_RECORDS, committedOnly);
            List<ConsumerRecord<byte[], byte[]>> converted = new ArrayList<>();
            records.forEach(each -> converted.add(record(partition, each)));
            long next =
                    records.size() < MAX_RECORDS
                            ? Math.max(from, end(partition))
                            : records.getLast().offset() + 1;
            positions.put(partition, next);
            moved |= next > from;
            if (!converted.isEmpty()) {
                found.put(new TopicPartition(SimulatedKafka.TOPIC, partition), converted);
            }
        }
        return moved;
    }

    private static ConsumerRecord<byte[], byte[]> record(int partition, LogRecord record) {
        TopicRecord content = record.content();
        RecordHeaders headers = new RecordHeaders();
        for (TopicRecord.Header header : content.headers()) {
            headers.add(header.name(), header.value().getBytes(StandardCharsets.UTF_8));
        }
        return new ConsumerRecord<>(
                SimulatedKafka.TOPIC,
                partition,
                record.offset(),
                record.timestampMillis(),
                TimestampType.LOG_APPEND_TIME,
                0,
                0,
                content.key().array(),
                content.value() == null ? null : content.value().array(),
                headers,
                Optional.empty());
    }

    @Override
    public void close(CloseOptions options) {}
}
