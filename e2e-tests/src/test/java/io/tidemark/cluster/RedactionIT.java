package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.KafkaRecords;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.local.Ports;
import io.tidemark.record.Bytes;
import io.tidemark.waits.LongTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values with a marker at redacted places, in every form in which etcd may hold them. */
@LongTest
class RedactionIT {
    private static final String MARKER = "m4rk3r-7";
    private static final String KEPT = "k3pt-7";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/ns/configmaps";
    private static final String LAST_APPLIED =
            "\"annotations\":{\"a\":\""
                    + KEPT
                    + "\",\"kubectl.kubernetes.io/last-applied-configuration\":"
                    + "\"{\\\"password\\\":\\\""
                    + MARKER
                    + "\\\"}\"}";
    private static final String[] OPTIONS = {
        "--self-check",
        "1s",
        "--redact",
        "configmaps=.data.password,.data['text']",
        "--redact",
        "deployments.apps=.spec.template.spec.containers[*].env[*].value",
        "--redact",
        "widgets.example.com=.spec.token"
    };

    @TempDir private Path folder;

    private static Map<String, Bytes> values() {
        Map<String, Bytes> values = new TreeMap<>();
        for (String parent :
                List.of("/registry/", "/kubernetes.io/", "/registry/pods/", "/other/")) {
            values.put(parent + "configmaps/ns/json", configMap("json", MARKER));
            values.put(parent + "configmaps/ns/cut", configMap("cut", MARKER).slice(0, 150));
        }
        values.put(
                "/registry/configmaps/ns/escaped",
                Bytes.utf8(
                        configMap("escaped", MARKER)
                                .utf8()
                                .replace("\"password\"", "\"\\u0070assword\"")));
        Bytes entry = field(1, Bytes.utf8("text")).concat(field(2, Bytes.utf8(MARKER)));
        Bytes fields = Bytes.utf8("{\"v:" + MARKER + "\":{}}");
        values.put(
                "/registry/configmaps/ns/proto",
                protobuf("ConfigMap", metadata("proto", Bytes.EMPTY).concat(field(2, entry))));
        values.put(
                "/registry/configmaps/ns/managed",
                protobuf("ConfigMap", metadata("managed", field(17, field(7, field(1, fields))))));
        values.put("/registry/configmaps/ns/unknown", protobuf("Unknown", Bytes.utf8(MARKER)));
        values.put("/registry/configmaps/ns/odd", Bytes.utf8(MARKER));
        values.put(
                "/registry/configmaps/ns/encrypted", Bytes.utf8("k8s:enc:aescbc:v1:k:" + MARKER));
        values.put(
                "/registry/deployments/ns/d",
                Bytes.utf8(
                        ("{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":"
                             + "{\"name\":\"d\",\"namespace\":\"ns\",%s},\"spec\":{\"template\":"
                             + "{\"spec\":{\"containers\":[{\"name\":\"%s\",\"env\":"
                             + "[{\"name\":\"N\",\"value\":\"%s\"}]}]}}}}")
                                .formatted(LAST_APPLIED, KEPT, MARKER)));
        values.put(
                "/registry/example.com/widgets/ns/w",
                Bytes.utf8(
                        ("{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":"
                                        + "{\"name\":\"w\",\"namespace\":\"ns\"},\"spec\":"
                                        + "{\"token\":{\"a\":[\"%s\"]},\"size\":\"%s\"}}")
                                .formatted(MARKER, KEPT)));
        return values;
    }

    private static Bytes metadata(String name, Bytes more) {
        return field(1, field(1, Bytes.utf8(name)).concat(field(3, Bytes.utf8("ns"))).concat(more));
    }

    private static Bytes protobuf(String kind, Bytes message) {
        Bytes type = field(1, Bytes.utf8("v1")).concat(field(2, Bytes.utf8(kind)));
        return Bytes.utf8("k8s\0").concat(field(1, type)).concat(field(2, message));
    }

    /** A field of at most 127 bytes and a number below 32. */
    private static Bytes field(int number, Bytes content) {
        int tag = number << 3 | 2;
        byte[] head =
                tag < 128
                        ? new byte[] {(byte) tag, (byte) content.length()}
                        : new byte[] {(byte) (tag | 128), 1, (byte) content.length()};
        return Bytes.wrap(head).concat(content);
    }

    private static Bytes configMap(String name, String password) {
        return Bytes.utf8(
                ("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"data\":"
                                + "{\"password\":\"%s\",\"other\":\"%s\"},\"metadata\":"
                                + "{\"name\":\"%s\",\"namespace\":\"ns\",%s}}")
                        .formatted(password, KEPT, name, LAST_APPLIED));
    }

    @Test
    void redactedValuesAreNeitherMirroredNorServed() throws Exception {
        mirror((etcd, api) -> {
            assertServed(api);
            watch(etcd, api);
        });
    }

    @Test
    void valuesAreRedactedAtAnyKey() throws Exception {
        mirror(
                (etcd, api) -> {
                    for (String key :
                            List.of(
                                    "/kubernetes.io/configmaps/ns/json",
                                    "/registry/pods/configmaps/ns/json",
                                    "/other/configmaps/ns/json")) {
                        assertThat(api.getInTime("/kv" + key).body())
                                .contains("\"password\":\"redacted\"")
                                .contains(KEPT);
                    }
                },
                "--prefix",
                "/",
                "--kubernetes-root",
                "/registry/,/kubernetes.io");
    }

    /** What a test does while the values are mirrored. */
    private interface Reads {
        void of(TestEtcd etcd, Api api) throws Exception;
    }

    private void mirror(Reads reads, String... more) throws Exception {
        Path data = folder.resolve("data");
        int broker = Ports.pickFree("127.0.0.1");
        String[] options =
                Stream.of(OPTIONS, more, new String[] {"--kafka-port", "" + broker})
                        .flatMap(Arrays::stream)
                        .toArray(String[]::new);
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"))) {
            values().forEach((key, value) -> etcd.client().put(Bytes.utf8(key), value));
            try (TidemarkProcess tidemark = TidemarkProcess.up(data, etcd.endpoint(), options)) {
                Api api = tidemark.api();
                reads.of(etcd, api);
                values().forEach((key, value) -> etcd.client().put(Bytes.utf8(key), value));
                SelfCheckProofs.await(api, etcd.client().revision(Bytes.utf8("/x")));
                assertShowsNoMarker(api);
                assertHoldsNone(data, broker, "tidemark");
                assertHoldsNone(data, broker, "tidemark-dead-letters");
                assertThat(tidemark.stop()).isZero();
                assertThat(tidemark.log()).doesNotContain(MARKER);
            }
        }
        assertThat(filesWith(data, KEPT)).as("files that hold other values").isNotEmpty();
        assertThat(filesWith(data, MARKER)).as("files that hold a redacted value").isEmpty();
    }

    private static void watch(TestEtcd etcd, Api api) throws Exception {
        JsonNode list = api.list(CONFIG_MAPS);
        List<String> names = new ArrayList<>();
        list.path("items").forEach(item -> names.add(item.at("/metadata/name").asText()));
        assertThat(names).contains("json", "escaped", "proto", "managed");
        String from = Api.resourceVersion(list);
        try (Api.WatchStream watch =
                api.watch(CONFIG_MAPS + "?watch&timeoutSeconds=600&resourceVersion=" + from)) {
            values().forEach((key, value) -> etcd.client().put(Bytes.utf8(key), value));
            Bytes last = Bytes.utf8("/registry/configmaps/ns/zz-end");
            long end = etcd.client().put(last, configMap("zz-end", MARKER));
            JsonNode event = watch.next();
            int events = 1;
            while (!event.at("/object/metadata/name").asText().equals("zz-end")) {
                assertThat(event.toString()).doesNotContain(MARKER);
                event = watch.next();
                events++;
            }
            assertThat(events).isEqualTo(names.size() + 1);
            assertThat(event.at("/object/data/password").asText()).isEqualTo("redacted");
            assertThat(event.at("/object/data/other").asText()).isEqualTo(KEPT);
            assertThat(event.at("/object/metadata/resourceVersion").asLong()).isEqualTo(end);
        }
    }

    private static void assertHoldsNone(Path data, int broker, String topic) throws Exception {
        List<ConsumerRecord<byte[], byte[]>> records = KafkaRecords.all(data, broker, topic);
        assertThat(records).isNotEmpty();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            String where = topic + " " + Bytes.wrap(record.key());
            assertThat(text(record.value())).as(where).doesNotContain(MARKER);
            record.headers()
                    .forEach(header ->
                            assertThat(text(header.value())).as(where).doesNotContain(MARKER));
        }
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "" : new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Test
    void otherRulesRelist() throws Exception {
        Path data = folder.resolve("data");
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"))) {
            etcd.client()
                    .put(Bytes.utf8("/registry/configmaps/ns/c"), configMap("c", "in-the-clear"));
            try (TidemarkProcess tidemark = TidemarkProcess.up(data, etcd.endpoint())) {
                assertThat(tidemark.api().getInTime(CONFIG_MAPS + "/c").body())
                        .contains("in-the-clear");
                assertThat(tidemark.stop()).isZero();
            }
            String[] rule = {"--redact", "configmaps=.data.password"};
            try (TidemarkProcess tidemark = TidemarkProcess.up(data, etcd.endpoint(), rule)) {
                await().untilAsserted(() ->
                        assertThat(tidemark.api().getInTime(CONFIG_MAPS + "/c").body())
                                .contains("\"password\":\"redacted\"")
                                .contains(KEPT)
                                .doesNotContain("in-the-clear"));
                assertThat(tidemark.api().getInTime(CONFIG_MAPS + "/c?history=true").body())
                        .doesNotContain("in-the-clear");
            }
        }
    }

    private static void assertServed(Api api) throws Exception {
        JsonNode deployment = api.list("/apis/apps/v1/namespaces/ns/deployments/d");
        JsonNode container = deployment.at("/spec/template/spec/containers/0");
        assertThat(container.at("/env/0/value").asText()).isEqualTo("redacted");
        assertThat(container.at("/env/0/name").asText()).isEqualTo("N");
        assertThat(container.path("name").asText()).isEqualTo(KEPT);
        assertThat(deployment.at("/metadata/annotations/a").asText()).isEqualTo(KEPT);
        JsonNode widget = api.getInTime("/kv/registry/example.com/widgets/ns/w").json();
        assertThat(widget.at("/spec/token").asText()).isEqualTo("redacted");
        assertThat(widget.at("/spec/size").asText()).isEqualTo(KEPT);
        assertThat(api.list(CONFIG_MAPS + "/proto").at("/data/text").asText())
                .isEqualTo("redacted");
        assertShowsNoMarker(api);
    }

    private static void assertShowsNoMarker(Api api) throws Exception {
        for (String key : values().keySet()) {
            for (String options : List.of("", "?output=json", "?history=true")) {
                Api.Answer answer = api.get("/kv" + key + options);
                assertThat(answer.body()).as(key + options).doesNotContain(MARKER);
            }
        }
        for (String path :
                List.of(
                        CONFIG_MAPS,
                        CONFIG_MAPS + "/json?history=true",
                        CONFIG_MAPS + "?watch&timeoutSeconds=1",
                        "/api/v1/configmaps",
                        "/apis/apps/v1/deployments",
                        "/kv/",
                        "/kv/?watch&timeoutSeconds=1",
                        "/kv/?watch&longPoll&timeoutSeconds=1",
                        "/readyz?verbose",
                        "/metrics",
                        "/cluster")) {
            Api.Answer answer = api.get(path);
            assertThat(answer.body()).as(path).doesNotContain(MARKER);
        }
    }

    private static List<Path> filesWith(Path folder, String text) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).filter(file -> holds(file, text)).toList();
        }
    }

    private static boolean holds(Path file, String text) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).contains(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
