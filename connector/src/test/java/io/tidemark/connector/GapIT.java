package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.connector.ConnectorStatus.Phase;
import io.tidemark.connector.MirrorReader.Read;
import io.tidemark.connector.feed.GapPolicy;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.RangeRequest;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.etcd.EtcdProcess;
import io.tidemark.local.etcd.EtcdSettings;
import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark;
import io.tidemark.waits.LongTest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** etcd is compacted, restored or recreated; etcd and Kafka are down at the same time. */
class GapIT {

    @TempDir static Path folder;
    private static EmbeddedKafka kafka;

    private final List<Connector> connectors = new ArrayList<>();
    private String topic;
    private EtcdProcess etcdServer;
    private EtcdClient etcd;

    @BeforeAll
    static void startKafka() throws Exception {
        kafka = EmbeddedKafka.start(KafkaSettings.loopback(folder.resolve("kafka")));
    }

    @AfterAll
    static void stopKafka() {
        kafka.close();
    }

    @BeforeEach
    void startEtcd(TestInfo test) throws Exception {
        topic = test.getTestMethod().orElseThrow().getName();
        etcdServer = EtcdProcess.start(EtcdBinary.find(), EtcdSettings.forTests(data("etcd")));
        etcd =
                new EtcdClient(
                        EtcdOptions.of(etcdServer.endpoint())
                                .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30)));
    }

    @AfterEach
    void stopAll() {
        connectors.forEach(Connector::close);
        etcd.close();
        etcdServer.close();
    }

    @Test
    void reconcilesAGapWithinTheEpoch() {
        for (String name : List.of("changed", "deleted", "unchanged")) {
            put(name, "1");
        }
        Connector first = start(GapPolicy.EXPIRE);
        awaitMirrored(first);
        first.close();
        long left = revision();
        put("changed", "2");
        long changed = put("changed", "3");
        etcd.delete(key("deleted"));
        put("cameAndWent", "1");
        etcd.delete(key("cameAndWent"));
        long made = put("new", "1");
        etcd.compact(revision(), true);

        Connector second = start(GapPolicy.EXPIRE);
        awaitMirrored(second);
        assertMirrorsEtcd();
        assertThat(epochs()).containsOnly(1L);
        assertThat(changes("unchanged")).as("is not written again").hasSize(1);
        assertThat(changes("changed")).last().isEqualTo("put@" + changed);
        assertThat(changes("new")).containsExactly("put@" + made);
        assertThat(changes("cameAndWent")).isEmpty();
        assertThat(changes("deleted")).last().isEqualTo("delete@" + made);
        assertThat(kinds()).contains(TideMark.Kind.GAP);
        assertThat(second.status().gaps())
                .satisfies(gap -> {
                    assertThat(gap.count()).isEqualTo(1);
                    assertThat(gap.lastFrom()).isEqualTo(left);
                    assertThat(gap.lastFloor()).isEqualTo(made);
                    assertThat(gap.lastWritten()).isEqualTo(2);
                    assertThat(gap.lastDeleted()).isEqualTo(1);
                });
        put("unchanged", "2");
        awaitMirrored(second);
        assertMirrorsEtcd();
        assertThat(start(GapPolicy.EXPIRE).status().gaps().count()).isZero();
    }

    @Test
    void marksABridgedGap() {
        put("a", "1");
        put("b", "1");
        Connector first = start(GapPolicy.BRIDGE);
        awaitMirrored(first);
        first.close();
        put("a", "2");
        put("a", "3");
        etcd.compact(revision(), true);
        awaitMirrored(start(GapPolicy.BRIDGE));
        assertMirrorsEtcd();
        assertThat(kinds()).contains(TideMark.Kind.BRIDGE).doesNotContain(TideMark.Kind.GAP);
    }

    @Test
    void aRestoredEtcdThatPassedTheMirrorBeginsANewEpoch() throws Exception {
        assertRestoreBeginsANewEpoch(() -> {});
    }

    /** The comparison of the gap finds it then. */
    @Test
    void aRestoredEtcdThatWasCompactedBeginsANewEpoch() throws Exception {
        assertRestoreBeginsANewEpoch(() -> etcd.compact(revision(), true));
    }

    private void assertRestoreBeginsANewEpoch(Runnable afterRestore) throws Exception {
        put("counter", "1");
        put("kept", "1");
        restartEtcd("etcd", () -> copy(data("etcd"), data("backup")));
        Connector first = start(GapPolicy.EXPIRE);
        put("counter", "2");
        put("kept", "2");
        put("lost", "1");
        awaitMirrored(first);
        long seen = revision();
        first.close();

        restartEtcd("backup", () -> {});
        while (revision() < seen + 3) {
            put("counter", "other");
        }
        afterRestore.run();
        Connector second = start(GapPolicy.EXPIRE);
        await().until(() -> second.status().epoch() == 2);
        awaitMirrored(second);
        assertMirrorsEtcd();
        // Anyone may read this text: it must name no key.
        assertThat(second.status().lastError())
                .contains("not the history that was mirrored")
                .doesNotContain("counter", "kept", "lost");
    }

    @Test
    void aWipedEtcdBeginsANewEpochSoon() throws Exception {
        for (int i = 0; i < 30; i++) {
            put("k" + i, "1");
        }
        Connector connector = start(GapPolicy.EXPIRE);
        awaitMirrored(connector);
        restartEtcd("another", () -> {});
        long back = System.nanoTime();
        await().until(() -> connector.status().epoch() == 2);
        System.out.printf(
                "new epoch %d ms after the wiped etcd was up%n",
                Duration.ofNanos(System.nanoTime() - back).toMillis());
        put("new", "1");
        awaitMirrored(connector);
        assertMirrorsEtcd();
    }

    @Test
    @LongTest
    void resumesAfterOutagesOfEtcdAndKafkaInEitherOrder() throws Exception {
        Connector connector = start(GapPolicy.EXPIRE);
        put("a", "1");
        awaitMirrored(connector);
        int port = kafka.port();

        kafka.close();
        put("whileKafkaIsAway", "1");
        restartEtcd("etcd", () -> {});
        put("whileKafkaIsStillAway", "1");
        startKafka(port);
        awaitMirrored(connector);

        etcdServer.kill();
        await().until(() -> connector.status().phase() == Phase.WAITING);
        kafka.close();
        restartEtcd("etcd", () -> startKafka(port));
        put("whenBothAreBack", "1");
        awaitMirrored(connector);
        assertMirrorsEtcd();
        assertThat(epochs()).containsOnly(1L);
        for (String name :
                List.of("a", "whileKafkaIsAway", "whileKafkaIsStillAway", "whenBothAreBack")) {
            assertThat(changes(name)).as(name).hasSize(1);
        }
    }

    private static void startKafka(int port) throws IOException {
        kafka = EmbeddedKafka.start(KafkaSettings.loopback(folder.resolve("kafka")).withPort(port));
    }

    private Path data(String name) {
        return folder.resolve(topic).resolve(name);
    }

    /** An action while no etcd runs. */
    private interface Meanwhile {
        void act() throws Exception;
    }

    private void restartEtcd(String data, Meanwhile meanwhile) throws Exception {
        int port = URI.create(etcdServer.endpoint()).getPort();
        etcdServer.close();
        meanwhile.act();
        etcdServer =
                EtcdProcess.start(
                        EtcdBinary.find(), EtcdSettings.forTests(data(data)).withClientPort(port));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    private Connector start(GapPolicy onGap) {
        Connector connector =
                new Connector(
                        ConnectorConfig.of(
                                        EtcdOptions.of(etcdServer.endpoint()),
                                        kafka.bootstrapServers())
                                .withPrefix(Bytes.utf8("/kv/"))
                                .withOnGap(onGap)
                                .withTopic(
                                        TopicSettings.DEFAULT.withName(topic).withPartitions(2)));
        connectors.add(connector);
        connector.start();
        return connector;
    }

    private long put(String name, String value) {
        return etcd.put(key(name), Bytes.utf8(value));
    }

    private long revision() {
        return etcd.revision(key("x"));
    }

    private void awaitMirrored(Connector connector) {
        long revision = revision();
        await().until(() -> connector.status().revision() >= revision);
        await().until(() -> MirrorReader.marked(committed()) >= revision);
    }

    private void assertMirrorsEtcd() {
        Map<Bytes, Long> expected = new TreeMap<>();
        for (KeyValue kv : etcd.range(RangeRequest.prefix(Bytes.utf8("/kv/"))).keyValues()) {
            expected.put(kv.key(), kv.modRevision());
        }
        Map<Bytes, Long> state = new TreeMap<>();
        MirrorReader.state(committed()).forEach((key, put) -> state.put(key, put.revision()));
        assertThat(state).isEqualTo(expected);
    }

    private List<Read> committed() {
        return MirrorReader.committed(kafka.bootstrapServers(), topic);
    }

    private List<Long> epochs() {
        return committed().stream().map(read -> read.change().epoch()).distinct().toList();
    }

    private List<TideMark.Kind> kinds() {
        return committed().stream()
                .map(Read::change)
                .filter(TideMark.class::isInstance)
                .map(change -> ((TideMark) change).kind())
                .distinct()
                .toList();
    }

    private List<String> changes(String name) {
        List<String> changes = new ArrayList<>();
        for (Read read : committed()) {
            switch (read.change()) {
                case Change.Put put when put.key().equals(key(name)) ->
                        changes.add("put@" + put.revision());
                case Change.Delete delete when delete.key().equals(key(name)) ->
                        changes.add("delete@" + delete.revision());
                case Change.Put _, Change.Delete _, TideMark _ -> {}
            }
        }
        return changes;
    }

    private static Bytes key(String name) {
        return Bytes.utf8("/kv/" + name);
    }
}
