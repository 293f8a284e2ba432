package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.tidemark.record.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretValuesTest {
    private static final String SECRET =
            "{\"apiVersion\":\"v1\",\"data\":{\"a\":\"aHVudGVyMg==\"},\"kind\":\"Secret\"}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                SECRET,
                "\n {\n \"kind\" : \"Secret\" ,\t\"apiVersion\" : \"v1\" }",
                "\ufeff" + SECRET,
                "{\"kind\":\"SecretList\",\"apiVersion\":\"v1\",\"items\":[]}",
                "{\"apiVersion\":\"v1\",\"items\":[{},1," + SECRET + "],\"kind\":\"List\"}",
                "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":["
                        + "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":["
                        + SECRET
                        + "]}]}",
                "[[],{\"kind\":\"Pod\"},[" + SECRET + "]]",
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}\n" + SECRET,
                "{\"k\\u0069nd\":\"S\\u0065cret\",\"apiVersion\":\"\\u00761\"}",
                "{\"Kind\":\"SECRET\",\"APIVersion\":\"V1\"}",
                "{\"kind\":\"Pod\",\"kind\":\"Secret\",\"apiVersion\":\"v1\"}",
                "{\"kind\":\"Secret\",\"apiVersion\":\"v2\",\"apiVersion\":\"v1\"}",
                "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"data\":{\"a\":\"aHVu",
                "{\"x\":\"}]\\\"\",\"y\":[{\"z\":[]}],\"kind\":\"Secret\",\"apiVersion\":\"v1\"}"
            })
    void recognizesSecretsInJson(String value) {
        assertThat(isSecret(value.getBytes(StandardCharsets.UTF_8))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "k8s",
                "Secret v1",
                "\"Secret\"",
                "{",
                "[}",
                "]",
                "{\"kind\":\"Secret\"}",
                "{\"kind\":\"Secret\",\"apiVersion\":\"example.com/v1\"}",
                "{\"kind\":\"SecretStore\",\"apiVersion\":\"v1\"}",
                "{\"kind\":\"Event\",\"apiVersion\":\"v1\",\"involvedObject\":" + SECRET + "}",
                "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"items\":[" + SECRET + "]}",
                "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[],\"other\":[" + SECRET + "]}",
                "{\"data\":\"{\\\"kind\\\":\\\"Secret\\\",\\\"apiVersion\\\":\\\"v1\\\"}\"}",
                "k8s:enc:aescbc:v1:key1:xyz"
            })
    void recognizesNothingElse(String value) {
        assertThat(isSecret(value.getBytes(StandardCharsets.UTF_8))).isFalse();
    }

    @Test
    void readsAnObjectOnlyUpToItsKind() {
        byte[] pod =
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"kind\":\"Secret\"}"
                        .getBytes(StandardCharsets.UTF_8);
        byte[] secret = ("xx" + SECRET).getBytes(StandardCharsets.UTF_8);
        assertThat(SecretValues.isSecretObject(pod, 0, pod.length)).isFalse();
        assertThat(SecretValues.isSecretObject(secret, 2, secret.length)).isTrue();
    }

    /** In the order in which metadata is served alone. */
    @ParameterizedTest
    @CsvSource({
        "'{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{}}', true",
        "'{\"kind\":\"lISt\",\"apiVersion\":\"v1\",\"metadata\":{}}', true",
        "'{\"kind\":\"PodList\",\"apiVersion\":\"v1\"}', false",
        "'{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{}}', false",
        "'{\"kind\":\"Pod\",\"metadata\":{}}', true",
        "'{\"kind\":\"Po\\u0064\",\"apiVersion\":\"v1\"}', true",
        "'{\"apiVersion\":\"v1\",\"metadata\":{}}', true",
        "'{\"metadata\":{}}', true",
        "'{\"kind\":\"Po', true",
        "'{\"kin', true",
        "'', true"
    })
    void saysWhatMetadataLeavesOpen(String value, boolean open) {
        byte[] bytes = ("xx" + value).getBytes(StandardCharsets.UTF_8);
        assertThat(SecretValues.isOpen(bytes, 2, bytes.length)).isEqualTo(open);
    }

    /** A name in another case is not the member that decides an object's kind. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"KIND\":\"Pod\",\"kind\":\"Secret\",\"apiVersion\":\"v1\"}",
                "{\"apiversion\":\"v2\",\"apiVersion\":\"v1\",\"kind\":\"Secret\"}",
                "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":["
                        + "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"kind\":\"Secret\"}]}"
            })
    void decoysDoNotHideTheKindOfAnObject(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        assertThat(SecretValues.isSecretObject(bytes, 0, bytes.length)).isTrue();
    }

    @Test
    void recognizesSecretsInProtobufAlsoTruncated() {
        byte[] secret = protobuf("v1", "Secret");
        assertThat(isSecret(secret)).isTrue();
        assertThat(isSecret(Arrays.copyOf(secret, secret.length - 20))).isTrue();
        assertThat(isSecret(protobuf("v1", "SecretList"))).isTrue();
        assertThat(isSecret(protobuf("v1", "Pod"))).isFalse();
        assertThat(isSecret(protobuf("example.com/v1", "Secret"))).isFalse();
    }

    @Test
    void valueAndKeyAgreeInARealCluster() {
        Optional<RecordedCluster> recorded = RecordedCluster.find();
        assumeTrue(recorded.isPresent(), RecordedCluster.NEEDED);
        SecretKeys keys = SecretKeys.of(KubernetesRoots.DEFAULT, Bytes.utf8("/"));
        List<RecordedCluster.Entry> entries = recorded.orElseThrow().entries();
        assertThat(entries.stream().filter(entry -> isSecret(entry.value())))
                .isNotEmpty()
                .containsExactlyElementsOf(
                        entries.stream()
                                .filter(entry -> keys.contains(Bytes.utf8(entry.key())))
                                .toList());
    }

    @Test
    void terminatesOnAnyBytes() {
        SplittableRandom random = new SplittableRandom(4711);
        byte[] alphabet =
                "{}[]\",:\\ak1\n k8s\0Secretv1kind\u0001\u0002".getBytes(StandardCharsets.UTF_8);
        for (int run = 0; run < 20_000; run++) {
            byte[] bytes = new byte[random.nextInt(40)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = alphabet[random.nextInt(alphabet.length)];
            }
            boolean _ = isSecret(bytes);
            boolean _ = SecretValues.isSecretObject(bytes, 0, bytes.length);
        }
    }

    /** The search for the word looks at eight bytes at a time. */
    @Test
    void findsTheKindAtEachPlace() {
        for (int before = 0; before < 20; before++) {
            String rest = "{\"x\":\"" + "s".repeat(before) + "\",\"apiVersion\":\"v1\",\"kind\":\"";
            assertThat(isSecret((rest + "SeCrEt\"}").getBytes(StandardCharsets.UTF_8))).isTrue();
            assertThat(isSecret((rest + "\\u0053ecret\"}").getBytes(StandardCharsets.UTF_8)))
                    .isTrue();
            assertThat(isSecret((rest + "Secrets\"}").getBytes(StandardCharsets.UTF_8))).isFalse();
            assertThat(isSecret((rest + "Sacret\"}").getBytes(StandardCharsets.UTF_8))).isFalse();
            assertThat(isSecret((rest + "Secre").getBytes(StandardCharsets.UTF_8))).isFalse();
        }
    }

    private static boolean isSecret(byte[] value) {
        return SecretValues.isSecret(value, 0, value.length);
    }

    private static byte[] protobuf(String apiVersion, String kind) {
        V1.Secret secret =
                V1.Secret.newBuilder()
                        .setMetadata(Meta.ObjectMeta.newBuilder().setName("s"))
                        .putData("password", ByteString.copyFromUtf8("hunter2-and-some-more-bytes"))
                        .build();
        Runtime.Unknown unknown =
                Runtime.Unknown.newBuilder()
                        .setTypeMeta(
                                Runtime.TypeMeta.newBuilder()
                                        .setApiVersion(apiVersion)
                                        .setKind(kind))
                        .setRaw(secret.toByteString())
                        .build();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {'k', '8', 's', 0});
        out.writeBytes(unknown.toByteArray());
        return out.toByteArray();
    }
}
