package io.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.connector.Connector;
import io.tidemark.connector.ConnectorConfig;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.RangeRequest;
import io.tidemark.etcd.RangeScan;
import io.tidemark.etcd.Txn;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.harness.Security;
import io.tidemark.harness.TestEtcd;
import io.tidemark.local.Ports;
import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.record.Bytes;
import io.tidemark.waits.LongTest;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stock sinks of Kafka Connect hold etcd's state, as docs/connect.md sets them up. */
@LongTest
class ConnectSinkIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CHANGES = 10_000;
    private static final int PER_TRANSACTION = 10;
    private static final String PREFIX = "/registry/";

    @TempDir private Path folder;

    /** A row, or a key of etcd. */
    private record Stored(long revision, JsonNode object) {}

    @Test
    void sinksHoldEtcdsStateAfterRestarts() throws Exception {
        assumeTrue(Security.ofRun() == Security.PLAIN, "the worker has no certificate");
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"));
                EmbeddedKafka kafka =
                        EmbeddedKafka.start(KafkaSettings.loopback(folder.resolve("kafka")));
                EmbeddedPostgres postgres = postgres();
                Connector connector =
                        new Connector(
                                ConnectorConfig.of(
                                                EtcdOptions.of(etcd.endpoint()),
                                                kafka.bootstrapServers())
                                        .withTopic(TopicSettings.DEFAULT.withPartitions(3)))) {
            connector.start();
            run(postgres, Files.readString(ConnectWorker.EXAMPLES.resolve("postgres.sql")));
            Awaitility.await().until(() -> connector.status().revision() > 0);
            Path lines = folder.resolve("changes.txt");
            ConnectWorker worker =
                    new ConnectWorker(
                            folder.resolve("connect"),
                            Map.of(
                                    "127.0.0.1:29092",
                                    kafka.bootstrapServers(),
                                    "127.0.0.1:8083",
                                    "127.0.0.1:" + Ports.pickFree("127.0.0.1"),
                                    "127.0.0.1:5432",
                                    "127.0.0.1:" + postgres.getPort(),
                                    "/tmp/changes.txt",
                                    lines.toString(),
                                    "/tmp/connect.offsets",
                                    folder.resolve("offsets").toString()),
                            "file",
                            "postgres");
            Process process = worker.start();
            try {
                Random random = new Random(20);
                for (int part = 0; part < 4; part++) {
                    long begun = write(etcd, random, CHANGES / 4);
                    awaitRows(postgres, begun);
                    // The first time without a chance to write its offsets.
                    if (part % 2 == 0) {
                        process.destroyForcibly();
                    } else {
                        process.destroy();
                    }
                    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
                    process = worker.start();
                }
                Map<String, Stored> expected = stored(etcd);
                assertThat(expected).hasSizeGreaterThan(500);
                Awaitility.await()
                        .pollInterval(Duration.ofSeconds(1))
                        .untilAsserted(
                                () -> assertThat(differences(rows(postgres), expected)).isEmpty());
                Awaitility.await()
                        .pollInterval(Duration.ofSeconds(1))
                        .untilAsserted(
                                () -> assertThat(differences(replayed(lines), expected)).isEmpty());
            } catch (AssertionError | RuntimeException e) {
                e.addSuppressed(new IOException(lastLines(worker.log())));
                throw e;
            } finally {
                process.destroyForcibly().waitFor(1, TimeUnit.MINUTES);
            }
        }
    }

    private static EmbeddedPostgres postgres() throws IOException {
        return EmbeddedPostgres.builder().setServerConfig("listen_addresses", "127.0.0.1").start();
    }

    private static void run(EmbeddedPostgres postgres, String sql) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * Writes puts and deletes of keys that each come up several times, some of them no objects;
     * returns the revision after the first.
     */
    private static long write(TestEtcd etcd, Random random, int changes) {
        long begun = etcd.putConfigMap("ns-0", "begun", "");
        for (int done = 0; done < changes; done += PER_TRANSACTION) {
            Map<Bytes, Op> writes = new TreeMap<>();
            while (writes.size() < PER_TRANSACTION) {
                String name = "cm-" + random.nextInt(300);
                String namespace = "ns-" + random.nextInt(5);
                Bytes key = TestEtcd.configMapKey(namespace, name);
                writes.put(
                        key,
                        switch (random.nextInt(20)) {
                            case 0, 1, 2, 3 -> new Op.Delete(key);
                            case 4 -> new Op.Put(key, Bytes.utf8("k8s\0no object"));
                            default ->
                                    new Op.Put(
                                            key,
                                            Bytes.utf8(
                                                    TestEtcd.configMap(
                                                            namespace,
                                                            name,
                                                            "'ü\\u0000%d"
                                                                    .formatted(random.nextInt()))));
                        });
            }
            etcd.client().txn(Txn.of(writes.values().toArray(Op[]::new)));
        }
        return begun;
    }

    /** Waits for a row of a revision above a given one. */
    private static void awaitRows(EmbeddedPostgres postgres, long revision) {
        Awaitility.await()
                .until(() ->
                        rows(postgres).values().stream()
                                .anyMatch(row -> row.revision() > revision));
    }

    private static Map<String, Stored> stored(TestEtcd etcd) throws IOException {
        Map<String, Stored> stored = new TreeMap<>();
        RangeScan scan = etcd.client().scan(RangeRequest.prefix(Bytes.utf8(PREFIX)), 1_000);
        for (Optional<RangePage> page = scan.nextPage(); page.isPresent(); page = scan.nextPage()) {
            for (KeyValue pair : page.get().keyValues()) {
                String text = pair.value().utf8();
                JsonNode object = JSON.missingNode();
                if (text.startsWith("{")) {
                    object = JSON.readTree(text);
                    ((ObjectNode) object.get("metadata"))
                            .put("resourceVersion", Long.toString(pair.modRevision()));
                }
                stored.put(pair.key().utf8(), new Stored(pair.modRevision(), object));
            }
        }
        return stored;
    }

    private static Map<String, Stored> rows(EmbeddedPostgres postgres)
            throws SQLException, IOException {
        Map<String, Stored> rows = new TreeMap<>();
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("SELECT key, revision, object FROM objects")) {
            while (result.next()) {
                rows.put(
                        result.getString(1),
                        new Stored(result.getLong(2), json(result.getString(3))));
            }
        }
        return rows;
    }

    /** The state after all events of the file, of which some may be there twice. */
    private static Map<String, Stored> replayed(Path lines) throws IOException {
        Map<String, Stored> state = new TreeMap<>();
        for (String line : Files.readAllLines(lines)) {
            JsonNode event = JSON.readTree(line);
            String key = event.at("/source/key").asText();
            long revision = event.at("/source/revision").asLong();
            if (event.path("op").asText().equals("d")) {
                state.remove(key);
            } else {
                JsonNode object = event.at("/after/object");
                state.put(
                        key,
                        new Stored(revision, json(object.isTextual() ? object.asText() : null)));
            }
        }
        return state;
    }

    private static JsonNode json(@Nullable String text) throws IOException {
        return text == null ? JSON.missingNode() : JSON.readTree(text);
    }

    private static List<String> differences(Map<String, Stored> actual, Map<String, Stored> all) {
        TreeSet<String> keys = new TreeSet<>(actual.keySet());
        keys.addAll(all.keySet());
        return keys.stream()
                .filter(key -> !Objects.equals(actual.get(key), all.get(key)))
                .map(key -> key + ": " + actual.get(key) + " instead of " + all.get(key))
                .toList();
    }

    private static String lastLines(Path log) {
        try {
            List<String> lines = new ArrayList<>(Files.readAllLines(log));
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
