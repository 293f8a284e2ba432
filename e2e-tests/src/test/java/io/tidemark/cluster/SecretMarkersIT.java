package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * 500 markers in Secrets of three roots are looked for in everything that a process leaves behind:
 * the topic, the stores, dead letters, logs.
 */
@LongTest
class SecretMarkersIT {
    private static final int SECRETS = 500;
    private static final List<String> ROOTS =
            List.of("/registry/", "/kubernetes.io/", "/backup/registry/");

    /**
     * Compressed blocks cut some markers in pieces. As many ConfigMaps have markers too: this share
     * of them must be found, or the search proves nothing.
     */
    private static final double FOUND = 0.6;

    private static final Random RANDOM = new Random(20_260_101);

    @TempDir private Path folder;

    private final List<Marked> secrets = new ArrayList<>();
    private final List<Marked> controls = new ArrayList<>();

    /** A key whose value holds a marker. */
    private record Marked(String key, Bytes value, String marker) {}

    private static String marker() {
        byte[] bytes = new byte[24];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private void fill(TestEtcd etcd) {
        for (int i = 0; i < SECRETS; i++) {
            String root = ROOTS.get(i % ROOTS.size());
            // Every fifth Secret is at a key that does not say so.
            String directory = i % 5 == 4 ? "pods/ns/s" : "secrets/ns/s";
            String marker = marker();
            secrets.add(new Marked(root + directory + i, secret(i, marker), marker));
            String plain = marker();
            Bytes configMap =
                    json("ConfigMap", "c" + i, "", "\"data\":{\"p\":\"%s\"}".formatted(plain));
            controls.add(new Marked(root + "configmaps/ns/c" + i, configMap, plain));
        }
        Stream.of(secrets, controls)
                .flatMap(List::stream)
                .forEach(each -> etcd.client().put(Bytes.utf8(each.key()), each.value()));
    }

    private static Bytes secret(int i, String marker) {
        String data = "\"data\":{\"p\":\"%s\"}".formatted(marker);
        return switch (i % 4) {
            case 0 -> json("Secret", "s" + i, "", data);
            case 1 -> json("Secret", "s" + i, "", data.replace("data", "stringData"));
            case 2 ->
                    json(
                            "Secret",
                            "s" + i,
                            ",\"annotations\":{\"kubectl.kubernetes.io/last-applied-configuration\":"
                                    + "\"{\\\"data\\\":{\\\"p\\\":\\\"%s\\\"}}\"}"
                                            .formatted(marker),
                            "\"data\":{}");
            default -> protobuf("s" + i, marker);
        };
    }

    private static Bytes json(String kind, String name, String metadata, String content) {
        return Bytes.utf8(
                "{\"kind\":\"%s\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"%s\",\"namespace\":\"ns\"%s},%s}"
                        .formatted(kind, name, metadata, content));
    }

    private static Bytes protobuf(String name, String marker) {
        Bytes metadata = field(1, Bytes.utf8(name)).concat(field(3, Bytes.utf8("ns")));
        Bytes entry = field(1, Bytes.utf8("p")).concat(field(2, Bytes.utf8(marker)));
        Bytes message = field(1, metadata).concat(field(2, entry));
        Bytes type = field(1, Bytes.utf8("v1")).concat(field(2, Bytes.utf8("Secret")));
        return Bytes.utf8("k8s\0").concat(field(1, type)).concat(field(2, message));
    }

    /** A field of at most 127 bytes and a number below 16. */
    private static Bytes field(int number, Bytes content) {
        return Bytes.wrap(new byte[] {(byte) (number << 3 | 2), (byte) content.length()})
                .concat(content);
    }

    @Test
    void excludedSecretsLeaveNothing() throws Exception {
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"))) {
            fill(etcd);
            mirror(etcd, api -> {});
        }
        assertLeavesNoSecret();
    }

    @Test
    void includedSecretsAreNowhereInClear() throws Exception {
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"))) {
            fill(etcd);
            mirror(
                    etcd,
                    api -> {
                        for (Marked each : secrets) {
                            String served = api.getInTime("/kv" + each.key()).body();
                            assertThat(
                                            served.contains(each.marker())
                                                    || served.contains(inBase64(each)))
                                    .as(each.key())
                                    .isTrue();
                        }
                    },
                    "--include-secrets",
                    "--insecure");
        }
        assertLeavesNoSecret();
        assertThat(folder.resolve("data/secrets.key")).isRegularFile();
    }

    /** A byte field of protobuf becomes Base64 in JSON. */
    private static String inBase64(Marked secret) {
        return Base64.getEncoder().encodeToString(secret.marker().getBytes(StandardCharsets.UTF_8));
    }

    /** What a test reads while everything is mirrored. */
    private interface Reads {
        void of(Api api) throws Exception;
    }

    private void mirror(TestEtcd etcd, Reads reads, String... more) throws Exception {
        int broker = Ports.pickFree("127.0.0.1");
        Path data = folder.resolve("data");
        String[] options =
                Stream.concat(
                                Stream.of(
                                        "--prefix",
                                        "/",
                                        "--kubernetes-root",
                                        String.join(",", ROOTS),
                                        "--kafka-port",
                                        "" + broker),
                                Stream.of(more))
                        .toArray(String[]::new);
        try (TidemarkProcess tidemark = TidemarkProcess.up(data, etcd.endpoint(), options)) {
            Api api = tidemark.api();
            Marked last = controls.getLast();
            assertThat(api.getInTime("/kv" + last.key()).body()).contains(last.marker());
            reads.of(api);
            // Once more, so that versions are superseded.
            secrets.forEach(each -> etcd.client().put(Bytes.utf8(each.key()), each.value()));
            etcd.client().put(Bytes.utf8(last.key()), last.value());
            assertThat(api.getInTime("/kv" + last.key()).body()).contains(last.marker());
            String records = records(data, broker, "tidemark");
            assertThat(secrets).noneMatch(each -> holds(records, each));
            assertThat(controls).allMatch(each -> holds(records, each));
            String letters = records(data, broker, "tidemark-dead-letters");
            assertThat(secrets).noneMatch(each -> holds(letters, each));
            assertThat(tidemark.stop()).isZero();
            String log = tidemark.log();
            assertThat(secrets).noneMatch(each -> holds(log, each));
        }
    }

    private static String records(Path data, int broker, String topic) throws IOException {
        StringBuilder all = new StringBuilder();
        for (ConsumerRecord<byte[], byte[]> record : KafkaRecords.all(data, broker, topic)) {
            all.append(text(record.value())).append('\n');
            record.headers().forEach(header -> all.append(text(header.value())).append('\n'));
        }
        return all.toString();
    }

    private void assertLeavesNoSecret() throws IOException {
        List<Marked> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String content = text(Files.readAllBytes(file));
                assertThat(secrets).as(file.toString()).noneMatch(each -> holds(content, each));
                controls.stream().filter(each -> holds(content, each)).forEach(found::add);
            }
        }
        assertThat(found.stream().distinct().count())
                .as("markers of ConfigMaps that the search finds")
                .isGreaterThan((long) (FOUND * SECRETS));
    }

    private static boolean holds(String content, Marked each) {
        return content.contains(each.marker()) || content.contains(inBase64(each));
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "" : new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
