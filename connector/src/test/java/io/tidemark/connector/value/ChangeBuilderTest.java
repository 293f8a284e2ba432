package io.tidemark.connector.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.redact.RedactionRules;
import io.tidemark.connector.redact.Redactor;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.KeyValue;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.ContentType;
import io.tidemark.record.secret.KeyRing;
import io.tidemark.record.secret.PutSealer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChangeBuilderTest {
    private static final KubernetesKeys KEYS = new KubernetesKeys(Bytes.utf8("/registry/"));

    private static final String SECRET =
            "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"data\":{\"p\":\"hunter2\"}}";
    private static final String NAMED_SECRET =
            SECRET.replace("\"data\"", "\"metadata\":{\"name\":\"s\"},\"data\"");

    /** A type, and a field that is malformed. */
    private static final String PROTOBUF_SECRET =
            "k8s\0\n\u000c\n\u0002v1\u0012\u0006Secret\u0012\u0007hunter2";

    private final ParallelMap parallel = new ParallelMap(3);

    @AfterEach
    void closeParallel() {
        parallel.close();
    }

    @Test
    void numbersMirroredChangesWithinEachRevision() {
        List<MirrorEntry> changed =
                builder(false, 1 << 20)
                        .changed(
                                3,
                                List.of(
                                        put("/registry/a", 7),
                                        put("/registry/secrets/ns/s", 7),
                                        new KeyChange.Delete(Bytes.utf8("/registry/b"), 7, null),
                                        new KeyChange.Delete(
                                                Bytes.utf8("/registry/secrets/t"), 8, null),
                                        put("/registry/c", 8)));
        assertThat(positions(changed))
                .containsExactly("/registry/a@7.0", "/registry/b@7.1", "/registry/c@8.0");
        assertThat(
                        positions(
                                builder(true, 1 << 20)
                                        .changed(3, List.of(put("/registry/secrets/s", 7)))))
                .containsExactly("/registry/secrets/s@7.0");
    }

    private static List<String> positions(List<MirrorEntry> all) {
        List<String> positions = new ArrayList<>();
        for (MirrorEntry mirrored : all) {
            switch (Objects.requireNonNull(mirrored.change())) {
                case Change.Put put ->
                        positions.add("%s@%d.%d".formatted(put.key(), put.revision(), put.index()));
                case Change.Delete delete ->
                        positions.add(
                                "%s@%d.%d"
                                        .formatted(
                                                delete.key(), delete.revision(), delete.index()));
                case Change.TideMark mark -> positions.add(mark.toString());
            }
        }
        return positions;
    }

    @Test
    void mirrorsTooLargeValuesAsEmptyAndUnreadable() {
        KeyValue large = keyValue("/registry/a", 7, "x".repeat(5_000));
        MirrorEntry mirrored = builder(false, 4_096).listed(1, List.of(large)).getFirst();
        assertThat(mirrored.change())
                .isInstanceOfSatisfying(
                        Change.Put.class,
                        put -> {
                            assertThat(put.value()).isEqualTo(Bytes.EMPTY);
                            assertThat(put.contentType()).isEqualTo(ContentType.RAW);
                            assertThat(put.unreadable()).contains("the topic's limit is 4,096");
                            assertThat(put.listed()).isTrue();
                        });
        assertThat(mirrored.deadLetter())
                .isNotNull()
                .extracting(DeadLetter::reason, DeadLetter::value)
                .containsExactly(UnreadableReason.TOO_LARGE, large.value());
    }

    @Test
    void writesReservedKeysAsDeadLettersOnly() {
        Bytes key = ChangeCodec.CONTROL_PREFIX.concat(Bytes.utf8("progress"));
        KeyValue stored = new KeyValue(key, Bytes.utf8("x"), 7, 7, 1, 0);
        MirrorEntry put =
                builder(false, 1 << 20)
                        .changed(1, List.of(new KeyChange.Put(stored, null)))
                        .getFirst();
        MirrorEntry delete =
                builder(false, 1 << 20)
                        .changed(1, List.of(new KeyChange.Delete(key, 8, null)))
                        .getFirst();
        assertThat(put.change()).isNull();
        assertThat(put.deadLetter())
                .isNotNull()
                .extracting(DeadLetter::reason)
                .isEqualTo(UnreadableReason.RESERVED_KEY);
        assertThat(delete).isEqualTo(new MirrorEntry(key, null, null));
    }

    @Test
    void withholdsSecretsAtOtherKeys() {
        for (String value : List.of(SECRET, NAMED_SECRET, PROTOBUF_SECRET)) {
            for (String key : List.of("/other/x", "/registry/pods/ns/x", "/registry/ranges/x")) {
                MirrorEntry mirrored =
                        builder(false, 1 << 20)
                                .listed(1, List.of(keyValue(key, 7, value)))
                                .getFirst();
                assertThat(mirrored.deadLetter()).isNull();
                assertThat(mirrored.change())
                        .isInstanceOfSatisfying(
                                Change.Put.class,
                                put -> {
                                    assertThat(put.value()).isEqualTo(Bytes.EMPTY);
                                    assertThat(put.unreadable()).isEqualTo(Change.Put.WITHHELD);
                                    assertThat(put.revision()).isEqualTo(7);
                                });
            }
        }
    }

    @Test
    void deadLettersHoldNoMirroredSecret() {
        List<KeyValue> bad =
                List.of(
                        keyValue("/registry/secrets/ns/s", 7, "hunter2"),
                        keyValue("/registry/secrets/ns/t", 7, SECRET + "x".repeat(5_000)),
                        keyValue("/registry/pods/ns/a", 7, SECRET),
                        keyValue("/registry/pods/ns/b", 7, PROTOBUF_SECRET),
                        keyValue(ChangeCodec.CONTROL_PREFIX.utf8() + "x", 7, SECRET));
        List<MirrorEntry> mirrored = builder(true, 4_096).listed(1, bad);
        assertThat(mirrored)
                .extracting(MirrorEntry::deadLetter)
                .doesNotContainNull()
                .allSatisfy(letter -> {
                    assertThat(letter.value()).isEqualTo(Bytes.EMPTY);
                    assertThat(letter.valueBytes()).isPositive();
                    assertThat(letter.why()).doesNotContain("hunter2");
                });
    }

    @Test
    void encryptsMirroredSecretsAndNothingElse() {
        KeyRing ring = KeyRing.parse(KeyRing.randomText("k1"));
        PutSealer sealer = new PutSealer(ring);
        ChangeBuilder clear = builder(true, 1 << 20);
        ChangeBuilder sealing = clear.withSealer(Optional.of(sealer));
        for (String key : List.of("/registry/secrets/ns/s", "/other/x", "/registry/pods/ns/x")) {
            for (String value : List.of(SECRET, NAMED_SECRET, PROTOBUF_SECRET)) {
                List<KeyValue> listed = List.of(keyValue(key, 7, value));
                Change.Put put = (Change.Put) sealing.listed(1, listed).getFirst().change();
                assertThat(put.unreadable()).isEqualTo("encrypted: a Secret, key k1");
                assertThat(put.value().utf8()).doesNotContain("hunter2");
                assertThat(sealer.open(put))
                        .isEqualTo(
                                new PutSealer.Result.Plain(
                                        (Change.Put) clear.listed(1, listed).getFirst().change()));
                assertThat(sealing.listed(1, listed)).isEqualTo(sealing.listed(1, listed));
            }
        }
        List<KeyValue> plain = List.of(keyValue("/other/y", 7, "plain"));
        assertThat(sealing.listed(1, plain)).isEqualTo(clear.listed(1, plain));
    }

    /** At any key, and also where a redaction rule applies. */
    @Test
    void mirrorsASecretThatTheSourceCannotDecryptAsUnreadable() {
        String problem = PutSealer.missing("2") + " (at the followed Tidemark)";
        Redactor redactor =
                new Redactor(RedactionRules.parse(List.of("secrets=.data[*]")), KEYS.parents());
        ChangeBuilder clear = builder(true, 1 << 20);
        ChangeBuilder redacting =
                new ChangeBuilder(
                        clear.keys(), clear.reader(), redactor, clear.parallel(), 1 << 20);
        PutSealer sealer = new PutSealer(KeyRing.parse(KeyRing.randomText("k1")));
        for (String key : List.of("/registry/secrets/ns/s", "/other/x")) {
            List<KeyValue> listed =
                    List.of(new KeyValue(Bytes.utf8(key), Bytes.EMPTY, 7, 7, 1, 0, problem));
            MirrorEntry mirrored = clear.listed(1, listed).getFirst();
            Change.Put put = (Change.Put) Objects.requireNonNull(mirrored.change());
            assertThat(put.unreadable()).isEqualTo(problem);
            assertThat(put.value()).isEqualTo(Bytes.EMPTY);
            assertThat(mirrored.deadLetter())
                    .isNotNull()
                    .extracting(DeadLetter::reason, DeadLetter::why)
                    .containsExactly(UnreadableReason.ENCRYPTED, problem);
            assertThat(redacting.listed(1, listed)).containsExactly(mirrored);
            ChangeBuilder sealing = redacting.withSealer(Optional.of(sealer));
            assertThat(sealer.open((Change.Put) sealing.listed(1, listed).getFirst().change()))
                    .isEqualTo(new PutSealer.Result.Plain(put));
            assertThat(builder(false, 1 << 20).listed(1, listed))
                    .allSatisfy(withheld ->
                            assertThat(withheld.change())
                                    .isEqualTo(
                                            put.withValue(
                                                    Bytes.EMPTY,
                                                    ContentType.RAW,
                                                    Change.Put.WITHHELD)));
        }
    }

    @Test
    void mirrorsCustomResourcesNamedSecret() {
        String value = NAMED_SECRET.replace("\"v1\"", "\"example.com/v1\"");
        String key = "/registry/example.com/secrets/ns/x";
        MirrorEntry mirrored =
                builder(false, 1 << 20).listed(1, List.of(keyValue(key, 7, value))).getFirst();
        assertThat(mirrored.change())
                .isInstanceOfSatisfying(
                        Change.Put.class,
                        put ->
                                assertThat(put.contentType())
                                        .isEqualTo(ContentType.KUBERNETES_JSON));
    }

    @Test
    void parallelDecodingKeepsOrderAndBytes() {
        List<KeyValue> page = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            page.add(
                    keyValue(
                            "/registry/pods/ns/p" + i,
                            i + 1,
                            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p%d\"},\"x\":\"%s\"}"
                                    .formatted(i, "y".repeat(500))));
        }
        try (ParallelMap alone = new ParallelMap(1)) {
            ChangeBuilder one =
                    new ChangeBuilder(
                            KEYS, new ValueReader(KEYS, ValueDecoder.NONE), alone, false, 1 << 20);
            assertThat(builder(false, 1 << 20).listed(1, page)).isEqualTo(one.listed(1, page));
        }
    }

    private ChangeBuilder builder(boolean secrets, int maxRecordBytes) {
        return new ChangeBuilder(
                KEYS, new ValueReader(KEYS, ValueDecoder.NONE), parallel, secrets, maxRecordBytes);
    }

    private static KeyChange put(String key, long revision) {
        return new KeyChange.Put(keyValue(key, revision, "value"), null);
    }

    private static KeyValue keyValue(String key, long revision, String value) {
        return new KeyValue(Bytes.utf8(key), Bytes.utf8(value), revision, revision, 1, 0);
    }
}
