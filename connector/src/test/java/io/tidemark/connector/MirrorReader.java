package io.tidemark.connector;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.MalformedRecordException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a mirror topic as any external consumer can. */
public final class MirrorReader {
    private MirrorReader() {}

    /** A change with its position. */
    public record Read(int partition, long offset, Change change) {}

    public static List<Read> committed(String bootstrap, String topic) {
        return changes(records(bootstrap, topic, "read_committed"));
    }

    public static List<Read> uncommitted(String bootstrap, String topic) {
        return changes(records(bootstrap, topic, "read_uncommitted"));
    }

    private static List<Read> changes(List<ConsumerRecord<byte[], byte[]>> records) {
        List<Read> changes = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            try {
                changes.add(
                        new Read(
                                record.partition(),
                                record.offset(),
                                ChangeCodec.decode(
                                        record.key(),
                                        record.value(),
                                        name -> {
                                            Header header = record.headers().lastHeader(name);
                                            return header == null ? null : header.value();
                                        })));
            } catch (MalformedRecordException e) {
                throw new AssertionError(record.toString(), e);
            }
        }
        return changes;
    }

    /** The partitions' end offsets for this isolation level. */
    public static Map<TopicPartition, Long> ends(String bootstrap, String topic, String isolation) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrap, isolation)) {
            return consumer.endOffsets(partitions(consumer, topic));
        }
    }

    private static List<TopicPartition> partitions(
            KafkaConsumer<byte[], byte[]> consumer, String topic) {
        return consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
    }

    private static KafkaConsumer<byte[], byte[]> consumer(String bootstrap, String isolation) {
        Map<String, Object> configs = new HashMap<>();
        configs.put("bootstrap.servers", bootstrap);
        configs.put("isolation.level", isolation);
        configs.put("enable.auto.commit", false);
        configs.put("fetch.max.wait.ms", 20);
        return new KafkaConsumer<>(
                configs, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** All records now in the topic, partition by partition. */
    public static List<ConsumerRecord<byte[], byte[]>> records(
            String bootstrap, String topic, String isolation) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrap, isolation)) {
            List<TopicPartition> partitions = partitions(consumer, topic);
            consumer.assign(partitions);
            consumer.pause(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            consumer.seekToBeginning(partitions);
            for (TopicPartition partition : partitions) {
                consumer.resume(List.of(partition));
                while (consumer.position(partition) < ends.get(partition)) {
                    consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                }
                consumer.pause(List.of(partition));
            }
        }
        return records;
    }

    /** The newest value of every key, ignoring epochs and lists. */
    public static Map<Bytes, Change.Put> state(List<Read> reads) {
        Map<Bytes, Change.Put> state = new TreeMap<>();
        for (Read read : reads) {
            switch (read.change()) {
                case Change.Put put -> state.put(put.key(), put);
                case Change.Delete delete -> state.remove(delete.key());
                case Change.TideMark _ -> {}
            }
        }
        return state;
    }

    /** The highest revision that every partition has a mark for; -1 without marks. */
    public static long marked(List<Read> reads) {
        Map<Integer, Long> marks = new HashMap<>();
        for (Read read : reads) {
            if (read.change() instanceof Change.TideMark mark
                    && mark.kind() != Change.TideMark.Kind.LIST_BEGIN) {
                marks.put(read.partition(), mark.revision());
            }
        }
        return marks.values().stream().mapToLong(Long::longValue).min().orElse(-1);
    }
}
