package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tidemark.address.HttpAddress;
import io.tidemark.connector.ConnectorStatus.Phase;
import io.tidemark.connector.MirrorReader.Read;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.etcd.EtcdProcess;
import io.tidemark.local.etcd.EtcdSettings;
import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.NodeRequest;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.waits.LongTest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A connector whose etcd and Kafka fail, return, or are replaced. */
class FaultsIT {
    private static final Duration SOON = Duration.ofSeconds(40);
    private static final String TOPIC = "mirror";

    @TempDir Path folder;
    private final List<AutoCloseable> open = new ArrayList<>();
    private EmbeddedKafka kafka;
    private EtcdProcess etcdServer;
    private EtcdClient etcd;

    @BeforeEach
    void startServers() throws Exception {
        kafka = EmbeddedKafka.start(KafkaSettings.loopback(folder.resolve("kafka")));
        etcdServer =
                EtcdProcess.start(EtcdBinary.find(), EtcdSettings.forTests(folder.resolve("etcd")));
        etcd =
                new EtcdClient(
                        EtcdOptions.of(etcdServer.endpoint())
                                .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30)));
    }

    @AfterEach
    void stopAll() throws Exception {
        for (AutoCloseable closeable : open.reversed()) {
            closeable.close();
        }
        etcd.close();
        etcdServer.close();
        kafka.close();
    }

    @Test
    void resumesAfterEtcdWasKilled() throws Exception {
        Connector connector = start();
        etcd.put(key("a"), Bytes.utf8("1"));
        awaitMirrored(connector);
        etcdServer.kill();
        await().until(() -> connector.status().phase() == Phase.WAITING);
        NodeClient.Answer refused = barrier(connector);
        assertThat(refused.status()).isEqualTo(503);
        assertThat(new String(refused.body(), StandardCharsets.UTF_8)).startsWith("{\"error\":\"");

        restartEtcd("etcd");
        etcd.put(key("a"), Bytes.utf8("2"));
        etcd.delete(key("a"));
        awaitMirrored(connector);
        assertThat(changesOf(key("a"))).hasSize(3);
        assertThat(epochs()).containsOnly(1L);
        await().until(() -> barrier(connector).status() == 200);
    }

    @Test
    void beginsANewEpochWithoutStaleKeysWhenEtcdIsReplaced() throws Exception {
        Connector connector = start();
        for (int i = 0; i < 20; i++) {
            etcd.put(key("old" + i), Bytes.utf8("1"));
        }
        awaitMirrored(connector);
        etcdServer.kill();
        restartEtcd("another");
        etcd.put(key("new"), Bytes.utf8("1"));
        await().until(() -> connector.status().epoch() == 2);
        awaitMirrored(connector);
        assertThat(state()).containsOnlyKeys(key("new"));
    }

    @Test
    @LongTest
    void writesMissedChangesAfterAKafkaRestart() throws Exception {
        Connector connector = start();
        etcd.put(key("before"), Bytes.utf8("1"));
        awaitMirrored(connector);
        int port = kafka.port();
        kafka.close();
        for (int i = 0; i < 50; i++) {
            etcd.put(key("k" + i), Bytes.utf8("1"));
        }
        kafka = EmbeddedKafka.start(KafkaSettings.loopback(folder.resolve("kafka")).withPort(port));
        etcd.put(key("after"), Bytes.utf8("1"));
        awaitMirrored(connector);
        assertThat(state()).hasSize(52);
        assertThat(epochs()).containsOnly(1L);
    }

    @Test
    void refusesATopicThatWouldLoseObjects() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(
                            Set.of(
                                    new NewTopic(TOPIC, 2, (short) 1)
                                            .configs(Map.of("cleanup.policy", "delete"))))
                    .all()
                    .get();
        }
        Connector connector = start();
        connector.awaitTermination();
        assertThat(connector.status().phase()).isEqualTo(Phase.FAILED);
        assertThat(connector.status().lastError())
                .contains("cleanup.policy is delete, wanted compact", "kafka-configs.sh");
    }

    @Test
    @LongTest
    void closesQuicklyWhileEtcdAndKafkaAreDown() throws Exception {
        Connector connector = start();
        awaitMirrored(connector);
        etcdServer.kill();
        kafka.close();
        await().until(() -> connector.status().phase() == Phase.WAITING);
        assertTimeoutPreemptively(
                Duration.ofMinutes(1),
                () -> {
                    connector.close();
                    connector.awaitTermination();
                });
    }

    private Connector start() {
        Connector connector =
                new Connector(
                        ConnectorConfig.of(
                                        EtcdOptions.of(etcdServer.endpoint()),
                                        kafka.bootstrapServers())
                                .withPeerSecrets(ConnectorFixture.SECRETS)
                                .withPrefix(Bytes.utf8("/kv/"))
                                .withTopic(
                                        TopicSettings.DEFAULT.withName(TOPIC).withPartitions(2)));
        open.add(connector);
        connector.start();
        return connector;
    }

    private void restartEtcd(String data) throws Exception {
        int port = URI.create(etcdServer.endpoint()).getPort();
        etcdServer.close();
        etcdServer =
                EtcdProcess.start(
                        EtcdBinary.find(),
                        EtcdSettings.forTests(folder.resolve(data)).withClientPort(port));
    }

    private static NodeClient.Answer barrier(Connector connector) throws Exception {
        try (NodeClient node = new NodeClient(ConnectorFixture.SECRETS)) {
            return node.ask(
                    new HttpAddress("http", "127.0.0.1", connector.port()),
                    NodeRequest.post("/barrier"),
                    SOON,
                    4_096);
        }
    }

    private void awaitMirrored(Connector connector) {
        long revision = etcd.revision(key("x"));
        await().until(() -> connector.status().revision() >= revision);
        await().until(() -> MirrorReader.marked(committed()) >= revision);
    }

    private List<Read> committed() {
        return MirrorReader.committed(kafka.bootstrapServers(), TOPIC);
    }

    private Map<Bytes, Change.Put> state() {
        return MirrorReader.state(committed());
    }

    private List<Long> epochs() {
        return committed().stream().map(read -> read.change().epoch()).distinct().toList();
    }

    private List<Change> changesOf(Bytes key) {
        List<Change> changes = new ArrayList<>();
        for (Read read : committed()) {
            switch (read.change()) {
                case Change.Put put when put.key().equals(key) -> changes.add(put);
                case Change.Delete delete when delete.key().equals(key) -> changes.add(delete);
                case Change.Put _, Change.Delete _, Change.TideMark _ -> {}
            }
        }
        return changes;
    }

    private static Bytes key(String name) {
        return Bytes.utf8("/kv/" + name);
    }
}
