package io.tidemark.connector.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.value.KubernetesKeys.ExpectedContent;
import io.tidemark.record.Bytes;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValueReaderTest {
    private static final KubernetesKeys KEYS = new KubernetesKeys(Bytes.utf8("/registry/"));
    private static final Bytes POD = Bytes.utf8("/registry/pods/ns/a");
    private static final Bytes OBJECT =
            Bytes.utf8("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}\n");

    private final ValueReader reader = new ValueReader(KEYS, ValueDecoder.NONE);

    @ParameterizedTest
    @CsvSource({
        "/registry/pods/ns/a,OBJECT",
        "/registry/minions/n1,OBJECT",
        "/registry/services/specs/ns/a,OBJECT",
        "/registry/services/endpoints/ns/a,OBJECT",
        "/registry/services/other/ns/a,ANY",
        "/registry/example.com/widgets/ns/a,OBJECT",
        "/registry/apiextensions.k8s.io/customresourcedefinitions/x,OBJECT",
        "/registry/example.com/widgets,ANY",
        "/registry/example.com//a,ANY",
        "/registry/pods,ANY",
        "/registry/freeform/x,ANY",
        "/registry/ranges/serviceips,NO_OBJECT",
        "/registry/masterleases/10.0.0.1,NO_OBJECT",
        "/registry/peerserverleases/x,NO_OBJECT",
        "/registry/health,NO_OBJECT",
        "/pods/ns/a,ANY",
        "compact_rev_key,ANY"
    })
    void classifiesKeysByRequiredContent(String key, ExpectedContent place) {
        assertThat(KEYS.place(Bytes.utf8(key))).isEqualTo(place);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "'',/registry/pods/ns/a,OBJECT",
                "/,/registry/pods/ns/a,OBJECT",
                "/registry/pods/,/registry/pods/ns/a,OBJECT",
                "/cluster7/registry/,/cluster7/registry/pods/ns/a,OBJECT",
                "/kubernetes.io/,/kubernetes.io/pods/ns/a,OBJECT",
                "/app/,/app/pods/ns/a,ANY"
            })
    void findsTheRootInOrBelowThePrefix(String prefix, String key, ExpectedContent place) {
        KubernetesKeys keys = new KubernetesKeys(Bytes.utf8(prefix));
        assertThat(keys.place(Bytes.utf8(key))).isEqualTo(place);
    }

    @Test
    void recognizesSecretsBelowThePrefixAndTheRoot() {
        assertThat(KEYS.isSecret(Bytes.utf8("/registry/secrets/ns/s"))).isTrue();
        assertThat(KEYS.isSecret(Bytes.utf8("/registry/secretstores/ns/s"))).isFalse();
        assertThat(new KubernetesKeys(Bytes.EMPTY).isSecret(Bytes.utf8("/registry/secrets/n/s")))
                .isTrue();
        assertThat(new KubernetesKeys(Bytes.utf8("/app/")).isSecret(Bytes.utf8("/app/secrets/s")))
                .isTrue();
    }

    @Test
    void recognizesObjectsAtAnyKey() {
        assertThat(reader.read(POD, OBJECT, 7))
                .isInstanceOf(ClassifiedValue.KubernetesObject.class);
        assertThat(reader.read(Bytes.utf8("/elsewhere"), OBJECT, 7))
                .isInstanceOf(ClassifiedValue.KubernetesObject.class);
        assertThat(reader.read(Bytes.utf8("/registry/ranges/serviceips"), OBJECT, 7))
                .isEqualTo(new ClassifiedValue.Raw());
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\u0001',
            delimiter = '|',
            value = {
                "{\"a\":|MALFORMED_JSON|malformed JSON",
                "hello|MALFORMED_JSON|malformed JSON",
                "[1]|NO_OBJECT|no JSON object",
                "{}|NO_OBJECT|no apiVersion",
                "k8s:enc:aescbc:v1:key1:xyz|ENCRYPTED|aescbc:v1",
                "k8s:enc:kms:v2:secretname:xyz|ENCRYPTED|kms:v2"
            })
    void reportsWhyAnObjectIsUnreadable(String value, UnreadableReason reason, String why) {
        assertUnreadable(Bytes.utf8(value), reason, why);
    }

    @Test
    void reportsWhyBytesAreUnreadable() {
        assertUnreadable(Bytes.EMPTY, UnreadableReason.EMPTY, "empty");
        assertUnreadable(Bytes.wrap(new byte[] {0, 1, 2}), UnreadableReason.BINARY, "neither");
        assertUnreadable(
                Bytes.wrap(new byte[] {(byte) 0xd9, (byte) 0xd9}),
                UnreadableReason.BINARY,
                "neither");
        assertUnreadable(
                Bytes.utf8("k8s\0\n"), UnreadableReason.UNKNOWN_KIND, "protobuf is not decoded");
    }

    private void assertUnreadable(Bytes value, UnreadableReason reason, String why) {
        assertThat(reader.read(POD, value, 7))
                .isInstanceOfSatisfying(
                        ClassifiedValue.Unreadable.class,
                        unreadable -> {
                            assertThat(unreadable.reason()).isEqualTo(reason);
                            assertThat(unreadable.why()).contains(why);
                        });
    }

    @Test
    void canonicalizesOrRejectsDecoderOutput() {
        Bytes proto = Bytes.utf8("k8s\0x");
        assertThat(decoding(new ValueDecoder.Outcome.Json(OBJECT, false)).read(POD, proto, 7))
                .isEqualTo(reader.read(POD, OBJECT, 7));
        assertThat(
                        decoding(new ValueDecoder.Outcome.Json(Bytes.utf8("{"), false))
                                .read(POD, proto, 7))
                .isInstanceOf(ClassifiedValue.Unreadable.class);
    }

    private static ValueReader decoding(ValueDecoder.Outcome outcome) {
        return new ValueReader(KEYS, (_, _, _) -> outcome);
    }

    @Test
    void classifiesAnyBytesAtAnyKey() {
        SplittableRandom random = new SplittableRandom(42);
        for (int i = 0; i < 20_000; i++) {
            byte[] key = new byte[random.nextInt(20)];
            random.nextBytes(key);
            byte[] value = new byte[random.nextInt(40)];
            random.nextBytes(value);
            Bytes keyBytes = Bytes.utf8("/registry/").concat(Bytes.wrap(key));
            assertThat(reader.read(keyBytes, Bytes.wrap(value), i)).isNotNull();
        }
    }
}
