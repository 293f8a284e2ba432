package io.tidemark.connector.sink;

import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.topic.MirrorTopics;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.reading.CorruptRange;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.TopicRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A topic in memory for its readers, without open transactions; what is sent to it gets lost. */
final class StoredTopic implements TopicClients {
    static final String NAME = "mirror";

    private static final int MAX_RECORDS = 1_000;

    private final List<List<ConsumerRecord<byte[], byte[]>>> partitions = new ArrayList<>();
    private final Set<ConsumerRecord<byte[], byte[]>> aborted =
            Collections.newSetFromMap(new IdentityHashMap<>());
    private final TimeSource time;

    StoredTopic() {
        this(TimeSource.SYSTEM);
    }

    StoredTopic(TimeSource time) {
        this.time = time;
        for (int partition = 0; partition < SinkFixture.PARTITIONS; partition++) {
            addPartition();
        }
    }

    void addPartition() {
        partitions.add(new ArrayList<>());
    }

    private List<PartitionInfo> infos(String topic) {
        return IntStream.range(0, topic.equals(NAME) ? partitions.size() : 0)
                .mapToObj(partition -> new PartitionInfo(topic, partition, null, null, null))
                .toList();
    }

    void append(int partition, Change change) {
        TopicRecord record = ChangeCodec.encode(change);
        RecordHeaders headers = new RecordHeaders();
        record.headers()
                .forEach(each ->
                        headers.add(each.name(), each.value().getBytes(StandardCharsets.UTF_8)));
        List<ConsumerRecord<byte[], byte[]>> log = partitions.get(partition);
        log.add(
                new ConsumerRecord<>(
                        NAME,
                        partition,
                        log.size(),
                        0,
                        TimestampType.LOG_APPEND_TIME,
                        -1,
                        -1,
                        record.key().array(),
                        record.value() == null ? null : record.value().array(),
                        headers,
                        Optional.empty()));
    }

    void appendAborted(int partition, Change change) {
        append(partition, change);
        aborted.add(partitions.get(partition).getLast());
    }

    void mark(Change.TideMark mark) {
        for (int partition = 0; partition < partitions.size(); partition++) {
            append(partition, mark);
        }
    }

    @Override
    public Consumer<byte[], byte[]> consumer(
            Isolation isolation, java.util.function.Consumer<CorruptRange> corruptRanges) {
        return new StoredConsumer(isolation);
    }

    private final class StoredConsumer extends MockConsumer<byte[], byte[]> {
        private final Isolation isolation;

        StoredConsumer(Isolation isolation) {
            super("earliest");
            this.isolation = isolation;
        }

        @Override
        public List<PartitionInfo> partitionsFor(String topic) {
            return infos(topic);
        }

        @Override
        public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> of) {
            Map<TopicPartition, Long> begins = new HashMap<>();
            of.forEach(each -> begins.put(each, 0L));
            return begins;
        }

        @Override
        public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> of) {
            Map<TopicPartition, Long> ends = new HashMap<>();
            of.forEach(each -> ends.put(each, (long) partitions.get(each.partition()).size()));
            return ends;
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> found = new HashMap<>();
            for (TopicPartition each : assignment()) {
                List<ConsumerRecord<byte[], byte[]>> log = partitions.get(each.partition());
                if (!paused().contains(each)) {
                    int from = (int) position(each);
                    int to = Math.min(log.size(), from + MAX_RECORDS);
                    found.put(each, visible(log.subList(from, to)));
                    seek(each, to);
                }
            }
            return new ConsumerRecords<>(found, Map.of());
        }

        private List<ConsumerRecord<byte[], byte[]>> visible(
                List<ConsumerRecord<byte[], byte[]>> records) {
            return records.stream()
                    .filter(each -> isolation == Isolation.UNCOMMITTED || !aborted.contains(each))
                    .toList();
        }

        @Override
        public void close(CloseOptions options) {}
    }

    @Override
    public MirrorTopics.Prepared prepare(TopicSettings settings) {
        return new MirrorTopics.Prepared(partitions.size(), maxRequestBytes(), List.of());
    }

    @Override
    public Producer<byte[], byte[]> producer(String transactionalId) {
        return new MockProducer<>(
                true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
            @Override
            public List<PartitionInfo> partitionsFor(String topic) {
                return infos(topic);
            }
        };
    }

    @Override
    public int maxRequestBytes() {
        return 1 << 20;
    }

    @Override
    public Duration transactionTimeout() {
        return Duration.ofMinutes(10);
    }

    @Override
    public TimeSource time() {
        return time;
    }
}
