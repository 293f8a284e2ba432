package io.tidemark.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.address.HttpAddress;
import io.tidemark.connector.Connector;
import io.tidemark.connector.ConnectorConfig;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.http.testing.TestHttpClient.LineStream;
import io.tidemark.local.Ports;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.etcd.EtcdProcess;
import io.tidemark.local.etcd.EtcdSettings;
import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.nodeauth.PeerSecret;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.peer.PeerSettings;
import io.tidemark.query.QueryConfig;
import io.tidemark.record.Bytes;
import io.tidemark.standalone.part.NodePart;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.streams.StreamsSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shuts down one of two nodes under load, then the other, and checks their watches. */
class GracefulShutdownIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String LIST = "/api/v1/configmaps";
    private static final int WATCHES = 12;

    @TempDir private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private static final PeerSecrets SECRETS =
            PeerSecrets.of(new PeerSecret("a-secret-for-this-test"));

    private EtcdClient etcd;

    private record Node(NodePart part, ProcessLifecycle running, TestHttpClient http) {
        JsonNode get(String path) throws Exception {
            return JSON.readTree(http.get(path).text());
        }
    }

    /** What a watch received until its end: revisions of events, and the last bookmark. */
    private static final class Watch {
        private final List<Long> events = new CopyOnWriteArrayList<>();
        private volatile long bookmark;
        private final CompletableFuture<Boolean> endedCleanly = new CompletableFuture<>();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    private Node node(String name, String bootstrap) throws Exception {
        HttpAddress peer = new HttpAddress("http", "127.0.0.1", Ports.pickFree("127.0.0.1"));
        StreamsSettings base = StreamsSettings.of(bootstrap, folder.resolve(name));
        StreamsSettings settings =
                new StreamsSettings(
                        bootstrap,
                        base.topic(),
                        base.applicationId(),
                        base.stateDirectory(),
                        base.historyWindow(),
                        base.maxHistoryBytes(),
                        1,
                        peer.hostPort(),
                        IndexSettings.DEFAULT,
                        32L << 20,
                        16L << 20,
                        Map.of());
        ProcessLifecycle running = new ProcessLifecycle(_ -> {}, Duration.ofSeconds(20));
        opened.add(running);
        NodePart part =
                NodePart.start(
                        settings,
                        QueryConfig.listeningOn("127.0.0.1", 0),
                        SECRETS,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(new PeerSettings(peer, peer, SECRETS)),
                        Duration.ofHours(1),
                        running);
        TestHttpClient http = new TestHttpClient(part.url());
        opened.add(http);
        return new Node(part, running, http);
    }

    private static Watch watch(Node node, long after) {
        Watch watch = new Watch();
        String query = "?watch=1&allowWatchBookmarks=true&resourceVersion=" + after;
        Thread.ofVirtual()
                .start(() -> {
                    try (LineStream lines = node.http().open(LIST + query)) {
                        for (Optional<String> line = lines.next();
                                line.isPresent();
                                line = lines.next()) {
                            read(watch, JSON.readTree(line.get()));
                        }
                        watch.endedCleanly.complete(true);
                    } catch (Exception e) {
                        watch.endedCleanly.completeExceptionally(e);
                    }
                });
        return watch;
    }

    private static void read(Watch watch, JsonNode event) {
        long revision = event.at("/object/metadata/resourceVersion").asLong();
        switch (event.path("type").asText()) {
            case "BOOKMARK" -> watch.bookmark = revision;
            case "ADDED", "MODIFIED" -> watch.events.add(revision);
            default -> throw new IllegalStateException(event.toString());
        }
    }

    private static List<Long> through(Set<Long> written, long after, long revision) {
        return written.stream().filter(each -> each > after && each <= revision).toList();
    }

    private String startPipeline() throws IOException {
        EtcdProcess process =
                EtcdProcess.start(EtcdBinary.find(), EtcdSettings.forTests(folder.resolve("etcd")));
        opened.add(process);
        EtcdOptions options =
                EtcdOptions.of(process.endpoint())
                        .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30));
        etcd = new EtcdClient(options);
        opened.add(etcd);
        EmbeddedKafka kafka = EmbeddedKafka.start(KafkaSettings.loopback(folder.resolve("kafka")));
        opened.add(kafka);
        write(0);
        Connector connector =
                new Connector(
                        ConnectorConfig.of(options, kafka.bootstrapServers())
                                .withPeerSecrets(SECRETS));
        opened.add(connector);
        connector.start();
        return kafka.bootstrapServers();
    }

    private long write(int i) {
        String name = "cm-" + i % 20;
        String namespace = "ns-" + i % 5;
        return etcd.put(
                Bytes.utf8("/registry/configmaps/" + namespace + "/" + name),
                Bytes.utf8(
                        """
                        {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"%s",\
                        "namespace":"%s"},"data":{"value":"%d"}}\
                        """
                                .formatted(name, namespace, i)));
    }

    @Test
    void drainsItsWatchesWithoutAffectingOtherNodes() throws Exception {
        String bootstrap = startPipeline();
        Node stays = node("stays", bootstrap);
        Node leaves = node("leaves", bootstrap);
        Awaitility.await()
                .ignoreExceptions()
                .until(() ->
                        leaves.part().isReady() && stays.get("/cluster").path("whole").asBoolean());
        // On a busy machine the first read of the current state may be a 504.
        long start =
                Awaitility.await()
                        .until(
                                () -> leaves.get(LIST).at("/metadata/resourceVersion").asLong(),
                                revision -> revision > 0);
        List<Watch> here = new ArrayList<>();
        for (int i = 0; i < WATCHES; i++) {
            here.add(watch(leaves, start));
        }
        Watch elsewhere = watch(stays, start);
        Set<Long> written = new ConcurrentSkipListSet<>();
        try (Load _ = new Load(written)) {
            here.forEach(each -> Awaitility.await().until(() -> !each.events.isEmpty()));
            leaves.running().close();
            long then = written.stream().max(Long::compare).orElseThrow();
            Awaitility.await().until(() -> elsewhere.events.contains(then));
        }
        for (Watch each : here) {
            assertThat(each.endedCleanly.get(3, TimeUnit.MINUTES)).isTrue();
            assertThat(each.events).isEqualTo(through(written, start, each.bookmark));
        }
        long last = written.stream().max(Long::compare).orElseThrow();
        Awaitility.await().until(() -> elsewhere.events.contains(last));
        assertThat(elsewhere.events).isEqualTo(through(written, start, last));
        assertThat(elsewhere.endedCleanly).isNotDone();

        // No node is left to take over the partitions.
        stays.running().close();
        assertThat(elsewhere.endedCleanly.get(3, TimeUnit.MINUTES)).isTrue();
        assertThat(elsewhere.bookmark).isGreaterThanOrEqualTo(last);
        assertThat(elsewhere.events).isEqualTo(through(written, start, last));
    }

    /** Writes continuously. */
    private final class Load implements AutoCloseable {
        private final Set<Long> written;
        private final Thread thread;
        private volatile boolean closed;

        Load(Set<Long> written) {
            this.written = written;
            this.thread = Thread.ofVirtual().start(this::run);
        }

        private void run() {
            for (int i = 1; !closed; i++) {
                written.add(write(i));
                LockSupport.parkNanos(10_000_000);
            }
        }

        @Override
        public void close() throws InterruptedException {
            closed = true;
            thread.join();
        }
    }
}
