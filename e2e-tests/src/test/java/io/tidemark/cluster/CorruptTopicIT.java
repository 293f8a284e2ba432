package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.connector.Connector;
import io.tidemark.connector.ConnectorConfig;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.harness.LogSegment;
import io.tidemark.harness.LogSegment.Batch;
import io.tidemark.harness.TestEtcd;
import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.reading.CorruptBatchSkippingConsumer;
import io.tidemark.reading.CorruptRange;
import io.tidemark.record.Bytes;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.streams.StreamsNode;
import io.tidemark.streams.StreamsSettings;
import io.tidemark.view.PartitionState;
import io.tidemark.view.object.Selection;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A byte of the topic has changed on the broker's disk: every process keeps running, and no change
 * is missing.
 */
@LongTest
class CorruptTopicIT {
    private static final PeerSecrets SECRETS = PeerSecrets.random();
    private static final String TOPIC = "tidemark";

    @TempDir private Path folder;
    private TestEtcd etcd;
    private EmbeddedKafka kafka;

    private final NodeClient connectors = new NodeClient(SECRETS);

    @BeforeEach
    void start() throws Exception {
        etcd = new TestEtcd(folder.resolve("etcd"));
        kafka = EmbeddedKafka.start(KafkaSettings.loopback(folder.resolve("kafka")));
    }

    @AfterEach
    void stop() {
        connectors.close();
        kafka.close();
        etcd.close();
    }

    private Connector connector() {
        Connector connector =
                new Connector(
                        ConnectorConfig.of(
                                        EtcdOptions.of(etcd.endpoint()), kafka.bootstrapServers())
                                .withPeerSecrets(SECRETS)
                                .withTopic(
                                        TopicSettings.DEFAULT.withName(TOPIC).withPartitions(1)));
        connector.start();
        return connector;
    }

    /** A node in a group of the same name, with every partition. */
    private StreamsNode node(String name) {
        StreamsNode node =
                new StreamsNode(
                        new StreamsSettings(
                                kafka.bootstrapServers(),
                                TOPIC,
                                name,
                                folder.resolve(name),
                                Duration.ofHours(6),
                                1L << 30,
                                0,
                                "",
                                IndexSettings.DEFAULT,
                                16 << 20,
                                8 << 20,
                                Map.of("main.consumer.session.timeout.ms", 1_000)),
                        connectors);
        node.start();
        return node;
    }

    private void write(int count, String value) {
        for (int i = 0; i < count; i++) {
            etcd.putConfigMap("ns", "cm-" + i, value);
        }
        etcd.client().delete(TestEtcd.configMapKey("ns", "cm-0"));
    }

    private static PartitionState state(StreamsNode node) {
        return node.directory().partitions() == 0
                ? PartitionState.EMPTY
                : node.directory().view(0).state();
    }

    /** It is ready, in an epoch, and has everything that etcd has. */
    private void awaitWhole(StreamsNode node, long epoch) {
        long now = etcd.putConfigMap("ns", "last", "last");
        await().untilAsserted(() -> {
            assertThat(state(node).ready()).isTrue();
            assertThat(state(node).epoch()).isEqualTo(epoch);
            assertThat(state(node).watermark()).isGreaterThanOrEqualTo(now);
        });
        assertThat(held(node, now)).isEqualTo(etcd.keys("/registry/"));
    }

    private static Map<String, Long> held(StreamsNode node, long revision) {
        ScanRequest all =
                new ScanRequest(
                        Bytes.EMPTY, Bytes.EMPTY, revision, Selection.OBJECTS, 100_000, 1 << 30);
        Map<String, Long> held = new TreeMap<>();
        if (node.directory().view(0).read(all) instanceof ReadOutcome.Served<ScanPage>(var page)) {
            page.objects().forEach(object -> held.put(object.key().utf8(), object.revision()));
        }
        return held;
    }

    /**
     * Waits until the group has committed the last record, before the mark that ends its
     * transaction: no node reads a record again when the broker returns.
     */
    private void awaitCommitted(String group) throws Exception {
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            long end =
                    admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                            .partitionResult(partition)
                            .get()
                            .offset();
            await().until(() -> {
                OffsetAndMetadata next =
                        admin.listConsumerGroupOffsets(group)
                                .partitionsToOffsetAndMetadata()
                                .get()
                                .get(partition);
                return next != null && next.offset() >= end - 1;
            });
        }
    }

    /** Stops the broker, corrupts a batch, and starts it again. */
    private void corrupt(RecordSelector which) throws Exception {
        int port = kafka.port();
        kafka.close();
        LogSegment segment =
                new LogSegment(
                        folder.resolve("kafka")
                                .resolve(TOPIC + "-0")
                                .resolve("00000000000000000000.log"));
        List<Batch> data = segment.batches().stream().filter(each -> !each.control()).toList();
        segment.flip(which.of(data));
        kafka = EmbeddedKafka.start(KafkaSettings.loopback(folder.resolve("kafka")).withPort(port));
    }

    private interface RecordSelector {
        Batch of(List<Batch> batches);
    }

    @Test
    void aCorruptBatchTriggersARelistWhileOtherNodesServe() throws Exception {
        try (Connector connector = connector();
                StreamsNode old = node("old")) {
            write(300, "first");
            awaitWhole(old, 1);
            awaitCommitted("old");
            corrupt(batches -> batches.get(batches.size() / 2));
            awaitWhole(old, 1);
            assertThat(old.corruptRanges()).isZero();

            try (StreamsNode late = node("late")) {
                awaitWhole(late, 2);
                assertThat(late.corruptRanges()).isEqualTo(1);
                awaitWhole(old, 2);
            }
            // The corrupt range is before the list now: it no longer matters.
            try (StreamsNode later = node("later")) {
                awaitWhole(later, 2);
                assertThat(later.corruptRanges()).isEqualTo(1);
            }
            assertThat(connector.status().epoch()).isEqualTo(2);
        }
        try (Connector next = connector()) {
            await().until(() -> next.status().revision() > 0);
            assertThat(next.status().epoch()).isEqualTo(2);
        }
    }

    @Test
    void aConnectorThatFindsACorruptBatchAtTheEndBeginsANewEpoch() throws Exception {
        try (Connector _ = connector();
                StreamsNode node = node("node")) {
            write(20, "first");
            awaitWhole(node, 1);
        }
        corrupt(List::getLast);
        try (Connector connector = connector();
                StreamsNode node = node("node")) {
            // Above all epochs that the batch's records may have begun.
            await().until(() -> connector.status().epoch() > 1);
            awaitWhole(node, connector.status().epoch());
        }
    }

    /** The mark of a transaction and the corrupt batch after it come in one answer. */
    @Test
    void aReaderAtTheMarkOfATransactionSkipsTheBatchBehindIt() throws Exception {
        Map<String, Object> broker = Map.of("bootstrap.servers", kafka.bootstrapServers());
        try (Admin admin = Admin.create(broker)) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
        }
        Map<String, Object> transactions = new HashMap<>(broker);
        transactions.put("transactional.id", "t");
        // One batch for each transaction: only its commit sends, however slowly records come.
        transactions.put("linger.ms", 60_000);
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(transactions, bytes, bytes)) {
            producer.initTransactions();
            // Offsets 0 to 2 and the mark 3, 4 to 6 and 7, 8 to 10 and 11.
            for (int i = 0; i < 3; i++) {
                producer.beginTransaction();
                for (int j = 0; j < 3; j++) {
                    var _ =
                            producer.send(
                                    new ProducerRecord<>(TOPIC, new byte[] {1}, new byte[100]));
                }
                producer.commitTransaction();
            }
        }
        corrupt(batches -> batches.get(1));
        List<CorruptRange> skipped = new ArrayList<>();
        List<Long> read = new ArrayList<>();
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        try (CorruptBatchSkippingConsumer reader =
                new CorruptBatchSkippingConsumer(
                        Map.of("bootstrap.servers", kafka.bootstrapServers()), skipped::add)) {
            reader.assign(List.of(partition));
            reader.seek(partition, 3);
            await().until(() -> {
                reader.poll(Duration.ofMillis(100)).forEach(record -> read.add(record.offset()));
                return read.size() >= 3;
            });
        }
        assertThat(read).containsExactly(8L, 9L, 10L);
        assertThat(skipped).hasSize(1);
        assertThat(skipped.getFirst().toExclusive()).isEqualTo(7);
    }
}
