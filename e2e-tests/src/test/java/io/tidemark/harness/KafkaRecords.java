package io.tidemark.harness;

import io.tidemark.local.kafka.KafkaUser;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads topics of the broker that {@code up} or {@code broker} runs. */
public final class KafkaRecords {
    private KafkaRecords() {}

    /**
     * All records of a topic, aborted ones included.
     *
     * @param data the data folder of {@code up} or {@code broker}
     * @param broker the port
     */
    public static List<ConsumerRecord<byte[], byte[]>> all(Path data, int broker, String topic)
            throws IOException {
        Map<String, Object> settings =
                OwnKafka.settings(data, KafkaUser.ADMIN, "127.0.0.1:" + broker);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor(topic).stream()
                            .map(info -> new TopicPartition(topic, info.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
        }
        return records;
    }
}
