package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.address.HttpAddress;
import io.tidemark.connector.MirrorReader.Read;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.RangeRequest;
import io.tidemark.etcd.RangeScan;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.etcd.EtcdProcess;
import io.tidemark.local.etcd.EtcdSettings;
import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.NodeRequest;
import io.tidemark.nodeauth.PeerSecret;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A real etcd and a real broker for a test class; each test has its own topic and prefix. */
abstract class ConnectorFixture {
    static final Duration SOON = Duration.ofSeconds(30);

    static final PeerSecrets SECRETS = PeerSecrets.of(new PeerSecret("known-to-this-test-alone"));

    @TempDir static Path folder;
    static EmbeddedKafka kafka;
    static EtcdProcess etcdServer;
    static EtcdClient etcd;

    /** A client that authenticates as a node of the connectors' group. */
    static NodeClient node;

    final List<Connector> connectors = new ArrayList<>();
    String prefix;
    String topic;

    @BeforeAll
    static void startServers() throws Exception {
        kafka = EmbeddedKafka.start(KafkaSettings.loopback(folder.resolve("kafka")));
        etcdServer =
                EtcdProcess.start(EtcdBinary.find(), EtcdSettings.forTests(folder.resolve("etcd")));
        etcd =
                new EtcdClient(
                        EtcdOptions.of(etcdServer.endpoint())
                                .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30)));
        node = new NodeClient(SECRETS);
    }

    @AfterAll
    static void stopServers() {
        node.close();
        etcd.close();
        etcdServer.close();
        kafka.close();
    }

    @BeforeEach
    void nameTopic(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName();
        prefix = "/" + topic + "/registry/";
    }

    @AfterEach
    void closeConnectors() {
        connectors.forEach(Connector::close);
    }

    Connector start(ConnectorConfig config) {
        Connector connector = new Connector(config);
        connectors.add(connector);
        connector.start();
        return connector;
    }

    ConnectorConfig config() {
        return config(etcdServer.endpoint());
    }

    /**
     * @param endpoint of etcd
     */
    ConnectorConfig config(String endpoint) {
        return ConnectorConfig.of(EtcdOptions.of(endpoint), kafka.bootstrapServers())
                .withPeerSecrets(SECRETS)
                .withPrefix(Bytes.utf8(prefix))
                .withTopic(TopicSettings.DEFAULT.withName(topic).withPartitions(3));
    }

    /**
     * Sends a request as a stranger.
     *
     * @param target method and path
     */
    static TestHttpClient.Answer send(Connector connector, String target, String... headers)
            throws Exception {
        String[] methodAndPath = target.split(" ", -1);
        try (TestHttpClient http = new TestHttpClient("http://127.0.0.1:" + connector.port())) {
            return http.send(methodAndPath[0], methodAndPath[1], headers);
        }
    }

    /** Sends a request as a node of the group. */
    static NodeClient.Answer ask(Connector connector, NodeRequest request) throws Exception {
        return node.ask(
                new HttpAddress("http", "127.0.0.1", connector.port()), request, SOON, 16 << 20);
    }

    /** Waits until read-committed consumers see a mark of etcd's current revision. */
    void awaitMirrored() {
        long revision = etcd.revision(key("x"));
        Connector newest = connectors.getLast();
        await().until(() -> newest.status().revision() >= revision);
        await().until(() -> MirrorReader.marked(committed()) >= revision);
    }

    void assertMirrorsEtcd() {
        Map<Bytes, Change.Put> state = state();
        List<KeyValue> keyValues = new ArrayList<>();
        RangeScan scan = etcd.scan(RangeRequest.prefix(Bytes.utf8(prefix)), 10);
        for (var page = scan.nextPage(); page.isPresent(); page = scan.nextPage()) {
            keyValues.addAll(page.get().keyValues());
        }
        assertThat(state).hasSize(keyValues.size());
        for (KeyValue kv : keyValues) {
            Change.Put put = state.get(kv.key());
            assertThat(put).as(kv.key().toString()).isNotNull();
            assertThat(put.revision()).isEqualTo(kv.modRevision());
            assertThat(put.createRevision()).isEqualTo(kv.createRevision());
            assertThat(put.version()).isEqualTo(kv.version());
        }
    }

    List<Read> committed() {
        return MirrorReader.committed(kafka.bootstrapServers(), topic);
    }

    List<Read> uncommitted() {
        return MirrorReader.uncommitted(kafka.bootstrapServers(), topic);
    }

    Map<Bytes, Change.Put> state() {
        return MirrorReader.state(committed());
    }

    List<Change.Put> puts(List<Read> reads, String name) {
        List<Change.Put> puts = new ArrayList<>();
        for (Read read : reads) {
            if (read.change() instanceof Change.Put put && put.key().equals(key(name))) {
                puts.add(put);
            }
        }
        return puts;
    }

    long put(String name, Bytes value) {
        return etcd.put(key(name), value);
    }

    Bytes key(String name) {
        return Bytes.utf8(prefix + name);
    }

    static Bytes object(String name, int value) {
        return object(name, value, "");
    }

    static Bytes object(String name, int value, String filler) {
        return Bytes.utf8(
                """
                {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s"},"data":{"n":"%d","f":"%s"}}
                """
                        .formatted(name, value, filler));
    }
}
