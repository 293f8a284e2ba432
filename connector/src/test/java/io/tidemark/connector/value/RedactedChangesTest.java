package io.tidemark.connector.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.feed.PutFingerprint;
import io.tidemark.connector.redact.RedactionRules;
import io.tidemark.connector.redact.Redactor;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.KeyValue;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactedChangesTest {
    private static final String MARKER = "hunter2";
    private static final KubernetesKeys KEYS =
            new KubernetesKeys(
                    KubernetesRoots.of(List.of("/registry/", "/kubernetes.io/")), Bytes.utf8("/"));
    private static final RedactionRules RULES =
            RedactionRules.parse(
                    List.of(
                            "configmaps=.data.text",
                            "deployments.apps=.spec.template.spec.containers[*].env[*].value",
                            "secrets=.data[*]",
                            "widgets.example.com=.spec.token"));
    private static final String CONFIG_MAP =
            "{ \"apiVersion\":\"v1\", \"kind\":\"ConfigMap\","
                    + "\"metadata\":{\"name\":\"c\",\"resourceVersion\":\"1\"},"
                    + "\"data\":{\"text\":\"hunter2\",\"other\":\"kept\"}}";

    private final ParallelMap parallel = new ParallelMap(2);

    @AfterEach
    void closeParallel() {
        parallel.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/registry/configmaps/ns/c",
                "/kubernetes.io/configmaps/ns/c",
                "/configmaps/ns/c",
                "/registry/pods/ns/c",
                "/backup/c"
            })
    void redactsAnObjectAtAnyKeyAndKeepsItsRevision(String key) {
        MirrorEntry entry = entry(key, Bytes.utf8(CONFIG_MAP));
        assertThat(put(entry).value().utf8())
                .isEqualTo(
                        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
                                + "\"metadata\":{\"name\":\"c\",\"resourceVersion\":\"7\"},"
                                + "\"data\":{\"text\":\"redacted\",\"other\":\"kept\"}}");
        assertThat(put(entry).contentType()).isEqualTo(ContentType.KUBERNETES_JSON);
        assertThat(entry.deadLetter()).isNull();
    }

    @Test
    void redactsProtobuf() {
        MirrorEntry entry =
                entry("/registry/configmaps/ns/c", Protobuf.configMap("c", "hunter2-in-protobuf"));
        assertThat(put(entry).value().utf8())
                .contains("\"data\":{\"text\":\"redacted\"}")
                .contains("\"resourceVersion\":\"7\"")
                .doesNotContain(MARKER);
        Bytes managed =
                Protobuf.managed("c", Bytes.utf8("{\"f:data\":{\"v:\\\"hunter2\\\"\":{}}}"));
        assertThat(put(entry("/registry/configmaps/ns/c", managed)).value().utf8())
                .contains("\"managedFields\":[]")
                .doesNotContain(MARKER);
    }

    @Test
    void redactsDeploymentsSecretsAndCustomResources() {
        String metadata =
                "\"metadata\":{\"name\":\"x\",\"annotations\":{"
                        + "\"kubectl.kubernetes.io/last-applied-configuration\":\"hunter2\"}}";
        assertThat(
                        text(
                                entry(
                                        "/registry/deployments/ns/x",
                                        Bytes.utf8(
                                                "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\","
                                                        + metadata
                                                        + ",\"spec\":{\"template\":{\"spec\":{\"containers\":["
                                                        + "{\"env\":[{\"name\":\"N\",\"value\":\"hunter2\"}]}]}}}}"))))
                .contains("{\"name\":\"N\",\"value\":\"redacted\"}")
                .contains("last-applied-configuration\":\"redacted\"")
                .doesNotContain(MARKER);
        assertThat(
                        text(
                                entry(
                                        "/registry/secrets/ns/x",
                                        Bytes.utf8(
                                                "{\"apiVersion\":\"v1\",\"kind\":\"Secret\","
                                                        + metadata
                                                        + ",\"data\":{\"a\":\"hunter2\"}}"))))
                .contains("\"data\":{\"a\":\"redacted\"}")
                .doesNotContain(MARKER);
        assertThat(
                        text(
                                entry(
                                        "/registry/example.com/widgets/ns/x",
                                        Bytes.utf8(
                                                "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Odd\","
                                                        + metadata
                                                        + ",\"spec\":{\"token\":[\"hunter2\"],\"size\":3}}"))))
                .contains("\"spec\":{\"token\":\"redacted\",\"size\":3}")
                .doesNotContain(MARKER);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/registry/configmaps/ns/c | {\"data\":{\"text\":\"hunter2 | malformed_json",
                "/registry/configmaps/ns/c | k8s:enc:aescbc:v1:key1:hunter2 | encrypted",
                "/registry/configmaps/ns/c | [\"hunter2\"] | no_object",
                "/registry/configmaps/ns/c | hunter2 | malformed_json",
                "/registry/ConfigMaps/ns/c | hunter2 | no_object",
                "/registry/secrets/ns/c | hunter2 | malformed_json",
                "/registry/example.com/widgets/ns/c | {\"spec\":\"hunter2\"} | no_object",
                "/backup/c | {\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"x\":\"hunter2"
                        + " | no_object",
                "/backup/c | {\"kind\":\"Pod\",\"KIND\":\"ConfigMap\",\"apiVersion\":\"v1\","
                        + "\"x\":\"hunter2\"} | no_object",
                "/backup/c | [{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\","
                        + "\"x\":\"hunter2\"}] | no_object",
                "/registry/pods/ns/c |"
                        + " {\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"x\":\"hunter2 |"
                        + " malformed_json"
            })
    void valuesThatCannotBeReadLeaveNoBytes(String key, String value, String reason) {
        assertHidden(entry(key, Bytes.utf8(value)), reason);
    }

    @Test
    void protobufThatCannotBeReadLeavesNoBytes() {
        Bytes marker = Bytes.utf8(MARKER);
        Bytes unknown = Protobuf.envelope("v1", "Unknown", marker);
        Bytes malformed = Protobuf.envelope("v1", "ConfigMap", marker);
        assertHidden(entry("/registry/configmaps/ns/c", unknown), "unknown_kind");
        assertHidden(entry("/registry/configmaps/ns/c", malformed), "malformed_protobuf");
        assertHidden(entry("/registry/pods/ns/c", malformed), "malformed_protobuf");
        assertHidden(entry("/backup/c", malformed), "no_object");
        assertHidden(entry("/backup/c", Protobuf.envelope("v1", "List", marker)), "no_object");
    }

    @Test
    void tooDeepAndTooLargeObjectsLeaveNoBytes() {
        String deep = "[".repeat(600) + "\"hunter2\"" + "]".repeat(600);
        assertHidden(
                entry(
                        "/registry/configmaps/ns/c",
                        Bytes.utf8(CONFIG_MAP.replace("\"kept\"", deep))),
                "malformed_json");
        String large = "\"" + "hunter2".repeat(20_000) + "\"";
        assertHidden(
                entry(
                        "/registry/configmaps/ns/c",
                        Bytes.utf8(CONFIG_MAP.replace("\"kept\"", large))),
                "too_large");
        String numbers = "{" + "\"a\":1,".repeat(10_000) + "\"b\":\"hunter2\"}";
        assertHidden(
                entry(
                        "/registry/secrets/ns/s",
                        Bytes.utf8(
                                "{\"apiVersion\":\"v1\",\"kind\":\"Secret\","
                                        + "\"metadata\":{\"name\":\"s\"},\"data\":"
                                        + numbers
                                        + "}")),
                "too_large");
    }

    @Test
    void aReservedKeyOfARuledKindLeavesNoBytes() {
        MirrorEntry entry = entry("\0tidemark\0x", Bytes.utf8(CONFIG_MAP));
        assertThat(entry.change()).isNull();
        assertThat(Objects.requireNonNull(entry.deadLetter()).value()).isEqualTo(Bytes.EMPTY);
    }

    @Test
    void otherValuesAreUntouched() {
        for (String key : List.of("/registry/pods/ns/c", "/backup/c")) {
            for (String value :
                    List.of(
                            CONFIG_MAP.replace("ConfigMap", "Pod"),
                            "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"",
                            "hunter2")) {
                Bytes bytes = Bytes.utf8(value);
                assertThat(builder(RULES).listed(1, List.of(keyValue(key, bytes))))
                        .isEqualTo(
                                builder(RedactionRules.NONE)
                                        .listed(1, List.of(keyValue(key, bytes))));
            }
        }
    }

    @Test
    void listsEventsAndRetriesHaveTheSameBytes() {
        KeyValue keyValue = keyValue("/registry/configmaps/ns/c", Bytes.utf8(CONFIG_MAP));
        MirrorEntry listed = builder(RULES).listed(1, List.of(keyValue)).getFirst();
        MirrorEntry changed =
                builder(RULES).changed(1, List.of(new KeyChange.Put(keyValue, null))).getFirst();
        MirrorEntry missing = builder(RULES).missing(1, List.of(keyValue), 3).getFirst();
        assertThat(PutFingerprint.of(put(changed)))
                .isEqualTo(PutFingerprint.of(put(listed)))
                .isEqualTo(PutFingerprint.of(put(missing)))
                .isEqualTo(PutFingerprint.of(put(entry(keyValue.key().utf8(), keyValue.value()))));
    }

    /** An unreadable value and a dead letter, without anything of the stored bytes. */
    private static void assertHidden(MirrorEntry entry, String reason) {
        assertThat(put(entry).value()).isEqualTo(Bytes.EMPTY);
        assertThat(put(entry).contentType()).isEqualTo(ContentType.RAW);
        assertThat(put(entry).unreadable()).isNotEmpty().doesNotContain(MARKER);
        DeadLetter letter = Objects.requireNonNull(entry.deadLetter());
        assertThat(letter.value()).isEqualTo(Bytes.EMPTY);
        assertThat(letter.reason().label()).isEqualTo(reason);
        assertThat(letter.why()).doesNotContain(MARKER);
        assertThat(letter.valueBytes()).isPositive();
    }

    private static String text(MirrorEntry entry) {
        return new String(put(entry).value().array(), StandardCharsets.UTF_8);
    }

    private static Change.Put put(MirrorEntry entry) {
        return (Change.Put) Objects.requireNonNull(entry.change());
    }

    private MirrorEntry entry(String key, Bytes value) {
        return builder(RULES).listed(1, List.of(keyValue(key, value))).getFirst();
    }

    private ChangeBuilder builder(RedactionRules rules) {
        return new ChangeBuilder(
                new MirroredKeys(KEYS, true),
                new ValueReader(KEYS, new ProtobufDecoder()),
                new Redactor(rules, KEYS.parents()),
                parallel,
                100_000);
    }

    private static KeyValue keyValue(String key, Bytes value) {
        return new KeyValue(Bytes.utf8(key), value, 7, 7, 1, 0);
    }
}
