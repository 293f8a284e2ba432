package io.tidemark.streams;

import static org.awaitility.Awaitility.await;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.ContentType;
import io.tidemark.record.PartitionAssigner;
import io.tidemark.record.TopicRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A mirror topic, written as by the connector: one long transaction, marks in all partitions. */
final class MirrorTopic implements AutoCloseable {
    static final int PARTITIONS = 2;

    private final String bootstrapServers;
    private final String name;
    private final KafkaProducer<byte[], byte[]> producer;
    private int partitions = PARTITIONS;
    private long revision = 100;
    private long epoch = 1;

    MirrorTopic(String bootstrapServers, String name) {
        this.bootstrapServers = bootstrapServers;
        this.name = name;
        Map<String, Object> properties = new HashMap<>();
        properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, name);
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        // It is open while nodes start; this is the broker's limit.
        properties.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 900_000);
        producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Their broker-assigned ids: a member that joins again has a new one. */
    Set<String> membersOf(String group) throws Exception {
        try (Admin admin = admin(bootstrapServers)) {
            return admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
                    .flatMap(described -> described.members().stream())
                    .map(MemberDescription::consumerId)
                    .collect(Collectors.toSet());
        }
    }

    /** Offset of the next record by partition, where the group has committed one. */
    Map<Integer, Long> committedBy(String group) throws Exception {
        try (Admin admin = admin(bootstrapServers)) {
            Map<Integer, Long> offsets = new HashMap<>();
            admin
                    .listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .entrySet()
                    .stream()
                    .filter(each -> each.getValue() != null)
                    .forEach(each ->
                            offsets.put(each.getKey().partition(), each.getValue().offset()));
            return offsets;
        }
    }

    void create(Map<String, String> overrides) throws Exception {
        Map<String, String> configs = new HashMap<>();
        configs.put("cleanup.policy", "compact");
        configs.put("min.compaction.lag.ms", Long.toString(Duration.ofHours(6).toMillis()));
        configs.put("message.timestamp.type", "LogAppendTime");
        configs.putAll(overrides);
        try (Admin admin = admin(bootstrapServers)) {
            NewTopic topic = new NewTopic(name, PARTITIONS, (short) 1).configs(configs);
            admin.createTopics(List.of(topic)).all().get();
        }
        producer.initTransactions();
        producer.beginTransaction();
    }

    private static Admin admin(String bootstrapServers) {
        return Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    void addPartition() throws Exception {
        partitions++;
        try (Admin admin = admin(bootstrapServers)) {
            admin.createPartitions(Map.of(name, NewPartitions.increaseTo(partitions))).all().get();
            await().until(() -> TopicFacts.describe(admin, name).partitions().size() == partitions);
        }
    }

    static void delete(String bootstrapServers, String name) throws Exception {
        try (Admin admin = admin(bootstrapServers)) {
            admin.deleteTopics(List.of(name)).all().get();
        }
    }

    /** Removes all records that are there; the topic then begins after them. */
    void deleteRecords() throws Exception {
        commit();
        try (Admin admin = admin(bootstrapServers)) {
            Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                all.put(new TopicPartition(name, partition), RecordsToDelete.beforeOffset(-1));
            }
            admin.deleteRecords(all).all().get();
        }
    }

    /** An empty list at the current revision. */
    void list() {
        mark(Kind.LIST_BEGIN);
        mark(Kind.LIST_END);
    }

    /** An empty list in the next epoch. */
    void relist() {
        epoch++;
        list();
    }

    /** Each key changes once, in a separate revision; returns the last revision. */
    long put(String... keys) {
        for (String key : keys) {
            revision++;
            send(
                    new Change.Put(
                            epoch,
                            revision,
                            0,
                            Bytes.utf8(key),
                            Bytes.utf8(json(key, revision)),
                            ContentType.KUBERNETES_JSON,
                            revision,
                            1,
                            0,
                            false,
                            ""));
        }
        return revision;
    }

    /** With half a megabyte that does not compress. */
    long putLarge(String key) {
        byte[] noise = new byte[384 << 10];
        ThreadLocalRandom.current().nextBytes(noise);
        revision++;
        send(
                new Change.Put(
                        epoch,
                        revision,
                        0,
                        Bytes.utf8(key),
                        Bytes.utf8(
                                json(key, revision)
                                        .replaceFirst(
                                                "}$",
                                                ",\"data\":\"%s\"}"
                                                        .formatted(
                                                                Base64.getEncoder()
                                                                        .encodeToString(noise)))),
                        ContentType.KUBERNETES_JSON,
                        revision,
                        1,
                        0,
                        false,
                        ""));
        return revision;
    }

    long delete(String key) {
        revision++;
        send(new Change.Delete(epoch, revision, 0, Bytes.utf8(key)));
        return revision;
    }

    /** A record that breaks the contract. */
    void garbage() {
        var _ = producer.send(new ProducerRecord<>(name, 0, new byte[] {1}, new byte[] {2}));
    }

    /** A put as a later release might write it. */
    void newerFormat(int partition, String key) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(
                        name,
                        partition,
                        key.getBytes(StandardCharsets.UTF_8),
                        "?".getBytes(StandardCharsets.UTF_8));
        record.headers()
                .add(ChangeCodec.FORMAT_HEADER, "2".getBytes(StandardCharsets.UTF_8))
                .add(ChangeCodec.EPOCH, "1".getBytes(StandardCharsets.UTF_8));
        var _ = producer.send(record);
    }

    long mark(Kind kind) {
        TopicRecord mark =
                ChangeCodec.encode(new Change.TideMark(epoch, revision, kind, 0xfeedL, "http://c"));
        for (int partition = 0; partition < partitions; partition++) {
            send(partition, mark);
        }
        producer.flush();
        return revision;
    }

    long mark() {
        return mark(Kind.PROGRESS);
    }

    void commit() {
        producer.commitTransaction();
        producer.beginTransaction();
    }

    private void send(Change change) {
        TopicRecord record = ChangeCodec.encode(change);
        send(new PartitionAssigner(partitions).partitionOf(record.key()), record);
    }

    private void send(int partition, TopicRecord record) {
        ProducerRecord<byte[], byte[]> sent =
                new ProducerRecord<>(
                        name,
                        partition,
                        record.key().array(),
                        record.value() == null ? null : record.value().array());
        for (TopicRecord.Header header : record.headers()) {
            sent.headers().add(header.name(), header.value().getBytes(StandardCharsets.UTF_8));
        }
        var _ = producer.send(sent);
    }

    /** All present records of a partition. */
    List<ConsumerRecord<byte[], byte[]>> read(int partition) {
        TopicPartition source = new TopicPartition(name, partition);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        Map.of("bootstrap.servers", bootstrapServers),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer())) {
            consumer.assign(List.of(source));
            consumer.seekToBeginning(List.of(source));
            long end = consumer.endOffsets(List.of(source)).get(source);
            while (consumer.position(source) < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }

    static String json(String key, long revision) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"%s\",\"resourceVersion\":\"%d\"}}"
                .formatted(key.substring(key.lastIndexOf('/') + 1), revision);
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(2));
    }
}
