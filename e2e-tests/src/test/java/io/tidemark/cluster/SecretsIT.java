package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.harness.Api;
import io.tidemark.harness.KafkaRecords;
import io.tidemark.harness.OwnKafka;
import io.tidemark.harness.Security;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.local.Ports;
import io.tidemark.local.kafka.KafkaUser;
import io.tidemark.record.Bytes;
import io.tidemark.waits.LongTest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole etcd is mirrored that has Secrets at every kind of place. */
class SecretsIT {
    private static final String PEER_SECRET = "known-to-this-test-alone";
    private static final String PAYLOAD = "cGF5bG9hZA==";
    private static final String[] EVERYTHING = {
        "--prefix", "/", "--kubernetes-root", "/registry/,/kubernetes.io", "--self-check", "1s"
    };

    @TempDir private Path folder;

    private static Map<String, Bytes> secrets() {
        Bytes json =
                Bytes.utf8(
                        "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"s\"},"
                                + "\"data\":{\"p\":\""
                                + PAYLOAD
                                + "\"}}");
        Bytes protobuf =
                Bytes.utf8("k8s\0\n\u000c\n\u0002v1\u0012\u0006Secret\u0012\u000c" + PAYLOAD);
        Map<String, Bytes> secrets = new TreeMap<>();
        for (String place :
                List.of(
                        "/registry/secrets/ns/",
                        "/kubernetes.io/secrets/ns/",
                        "/other/secrets/ns/",
                        "/other/",
                        "/registry/pods/ns/",
                        "/registry/example.com/things/ns/")) {
            secrets.put(place + "json", json);
            secrets.put(place + "proto", protobuf);
            secrets.put(place + "cut", json.slice(0, json.length() - 3));
        }
        secrets.put("/registry/secrets/ns/odd", Bytes.utf8(PAYLOAD));
        secrets.put("/kubernetes.io/secrets/ns/odd", Bytes.utf8("k8s:enc:x:v1:" + PAYLOAD));
        return secrets;
    }

    @Test
    void secretsAreNeitherMirroredNorServed() throws Exception {
        int broker = Ports.pickFree("127.0.0.1");
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"))) {
            secrets().forEach((key, value) -> etcd.client().put(Bytes.utf8(key), value));
            etcd.client().put(Bytes.utf8("/other/turns"), Bytes.utf8("plain"));
            try (TidemarkProcess tidemark =
                    TidemarkProcess.up(
                            folder.resolve("data"),
                            etcd.endpoint(),
                            with("--kafka-port", broker))) {
                Api api = tidemark.api();
                assertThat(api.getInTime("/kv/other/turns").body()).isEqualTo("plain");
                try (Api.WatchStream watch = api.watch("/kv/?watch&timeoutSeconds=60")) {
                    assertThat(watch.next().at("/object/key").asText()).isEqualTo("/other/turns");
                    secrets()
                            .forEach((key, value) ->
                                    etcd.client().put(Bytes.utf8(key + "-later"), value));
                    etcd.client().put(Bytes.utf8("/other/turns"), secrets().get("/other/json"));
                    long end = etcd.client().put(Bytes.utf8("/other/end"), Bytes.utf8("end"));
                    assertThat(watch.next().path("type").asText()).isEqualTo("DELETED");
                    assertThat(watch.next().at("/object/modRevision").asLong()).isEqualTo(end);
                }
                assertThat(api.keys("").keySet()).containsExactly("/other/end");
                assertShowsNone(api);
                assertHoldsNone(broker, "tidemark");
                assertHoldsNone(broker, "tidemark-dead-letters");
                // A withheld value is no difference between etcd and the mirror.
                SelfCheckProofs.await(api, etcd.client().revision(Bytes.utf8("/x")));
                assertThat(tidemark.log()).doesNotContain(PAYLOAD);
            }
        }
    }

    @Test
    @LongTest
    void aNodeWithoutSecretsServesNoneFromATopicThatHasThem() throws Exception {
        int broker = Ports.pickFree("127.0.0.1");
        int listen = Ports.pickFree("127.0.0.1");
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"))) {
            secrets().forEach((key, value) -> etcd.client().put(Bytes.utf8(key), value));
            etcd.client().put(Bytes.utf8("/other/plain"), Bytes.utf8("plain"));
            try (TidemarkProcess with =
                            TidemarkProcess.up(
                                    folder.resolve("data"),
                                    etcd.endpoint(),
                                    with(
                                            "--kafka-port",
                                            broker,
                                            "--include-secrets",
                                            "--insecure",
                                            "--peer-secret",
                                            PEER_SECRET));
                    TidemarkProcess without =
                            TidemarkProcess.start(
                                    listen,
                                    folder.resolve("node.log"),
                                    List.of("-Xmx384m"),
                                    List.of(
                                            with(
                                                    "node",
                                                    "--kafka",
                                                    "127.0.0.1:" + broker,
                                                    // A group that nodes may not join by default.
                                                    "--kafka-config",
                                                    OwnKafka.config(
                                                            folder.resolve("data"),
                                                            KafkaUser.ADMIN),
                                                    "--group",
                                                    "without",
                                                    "--peer-secret",
                                                    PEER_SECRET,
                                                    "--listen",
                                                    "127.0.0.1:" + listen,
                                                    "--data",
                                                    folder.resolve("node"))),
                                    Security.ofRun().besideUp())) {
                assertThat(with.api().keys("")).hasSize(secrets().size() + 1);
                assertThat(with.api().getInTime("/kv/other/json").body()).contains(PAYLOAD);
                assertThat(without.api().keys("").keySet()).containsExactly("/other/plain");
                assertShowsNone(without.api());
                assertHoldsNone(broker, "tidemark-dead-letters");
            }
        }
    }

    private static void assertShowsNone(Api api) throws Exception {
        for (String key : secrets().keySet()) {
            for (String options : List.of("", "?output=json", "?history=true")) {
                Api.Answer answer = api.get("/kv" + key + options);
                assertThat(answer.body()).as(key + options).doesNotContain(PAYLOAD);
            }
        }
        for (String path :
                List.of(
                        "/kv/",
                        "/kv/?watch&timeoutSeconds=1",
                        "/kv/?watch&longPoll&timeoutSeconds=1")) {
            assertThat(api.get(path).body()).as(path).doesNotContain(PAYLOAD);
        }
        assertThat(api.get("/readyz?verbose").body()).doesNotContain(PAYLOAD);
    }

    private void assertHoldsNone(int broker, String topic) throws Exception {
        for (ConsumerRecord<byte[], byte[]> record :
                KafkaRecords.all(folder.resolve("data"), broker, topic)) {
            String where = topic + " " + Bytes.wrap(record.key());
            assertThat(text(record.value())).as(where).doesNotContain(PAYLOAD);
            record.headers()
                    .forEach(header ->
                            assertThat(text(header.value())).as(where).doesNotContain(PAYLOAD));
        }
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "" : new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** The options of both, and more. */
    private static String[] with(Object... more) {
        return Stream.concat(Arrays.stream(more).map(Object::toString), Arrays.stream(EVERYTHING))
                .toArray(String[]::new);
    }
}
