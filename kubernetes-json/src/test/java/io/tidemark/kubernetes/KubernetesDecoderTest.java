package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.kubernetes.wire.DecodeResult.Json;
import io.tidemark.kubernetes.wire.DecodeResult.Reason;
import io.tidemark.kubernetes.wire.DecodeResult.Refused;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class KubernetesDecoderTest {
    private final KubernetesDecoder decoder = new KubernetesDecoder();

    @Test
    void printsAnObjectAsTheApiServerDoes() {
        byte[] value = Stored.value("v1", "ConfigMap", configMap());

        assertThat(json(decoder.decode(value, 77)))
                .isEqualTo(
                        """
                        {"kind":"ConfigMap","apiVersion":"v1",\
                        "metadata":{"name":"settings","namespace":"shop","uid":"uid-1",\
                        "resourceVersion":"77","creationTimestamp":"2025-11-21T08:00:00Z",\
                        "labels":{"app":"shop","tier":"web"}},\
                        "data":{"a":"1"},"binaryData":{"key":"AAEC"}}\
                        """);
    }

    /** Go writes no value for nil bytes in a map, and reads them as empty ones. */
    @Test
    void printsAMapEntryWithoutBytesAsEmpty() {
        ByteString entry = ByteString.copyFrom(new byte[] {10, 1, 0x78}); // The key, and no value.
        V1.ConfigMap object =
                configMap().toBuilder()
                        .setUnknownFields(
                                UnknownFieldSet.newBuilder()
                                        .addField(
                                                V1.ConfigMap.BINARYDATA_FIELD_NUMBER,
                                                UnknownFieldSet.Field.newBuilder()
                                                        .addLengthDelimited(entry)
                                                        .build())
                                        .build())
                        .build();

        assertThat(json(decoder.decode(Stored.value("v1", "ConfigMap", object))))
                .endsWith("\"binaryData\":{\"key\":\"AAEC\",\"x\":\"\"}}");
    }

    @Test
    void reportsApiVersionAndKind() {
        DecodeResult decoded = decoder.decode(Stored.value("v1", "ConfigMap", configMap()), 77);

        assertThat(decoded)
                .isInstanceOfSatisfying(
                        Json.class,
                        object -> {
                            assertThat(object.apiVersion()).isEqualTo("v1");
                            assertThat(object.kind()).isEqualTo("ConfigMap");
                            assertThat(object.unknownFields()).isZero();
                        });
    }

    @Test
    void leavesResourceVersionOutWhenNoneIsGiven() {
        byte[] value = Stored.value("v1", "ConfigMap", configMap());

        assertThat(json(decoder.decode(value))).doesNotContain("resourceVersion");
    }

    @Test
    void ignoresAStoredResourceVersion() {
        V1.ConfigMap object =
                V1.ConfigMap.newBuilder()
                        .setMetadata(Stored.metadata("shop", "x").setResourceVersion("5"))
                        .build();
        byte[] value = Stored.value("v1", "ConfigMap", object);

        assertThat(json(decoder.decode(value))).doesNotContain("resourceVersion");
        assertThat(json(decoder.decode(value, 9))).contains("\"resourceVersion\":\"9\"");
    }

    @Test
    void printsAbsentObjectsAsEmpty() {
        byte[] value = Stored.value("v1", "Pod", V1.Pod.getDefaultInstance());

        assertThat(json(decoder.decode(value)))
                .isEqualTo(
                        """
                        {"kind":"Pod","apiVersion":"v1","metadata":{},\
                        "spec":{"containers":null},"status":{}}\
                        """);
    }

    @Test
    void countsUnknownFields() {
        UnknownFieldSet newer =
                UnknownFieldSet.newBuilder()
                        .addField(900, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                        .build();
        V1.Pod pod =
                V1.Pod.newBuilder()
                        .setUnknownFields(newer)
                        .setSpec(V1.PodSpec.newBuilder().setUnknownFields(newer))
                        .build();

        assertThat(decoder.decode(Stored.value("v1", "Pod", pod)))
                .isInstanceOfSatisfying(
                        Json.class, object -> assertThat(object.unknownFields()).isEqualTo(2));
    }

    @Test
    void refusesEncryptedValues() {
        byte[] value = "k8s:enc:aescbc:v1:key1:...".getBytes(StandardCharsets.US_ASCII);

        assertThat(KubernetesDecoder.isEncrypted(value)).isTrue();
        assertThat(decoder.decode(value))
                .isEqualTo(new Refused(Reason.ENCRYPTED, "encrypted at rest, by aescbc"));
    }

    @Test
    void refusesValuesWithoutAnEnvelope() {
        byte[] value = "{\"kind\":\"Pod\"}".getBytes(StandardCharsets.US_ASCII);

        assertThat(KubernetesDecoder.isProtobuf(value)).isFalse();
        assertThat(reason(decoder.decode(value))).isEqualTo(Reason.NOT_PROTOBUF);
        assertThat(reason(decoder.decode(new byte[0]))).isEqualTo(Reason.NOT_PROTOBUF);
    }

    @Test
    void refusesAKindWithoutATable() {
        byte[] value = Stored.value("example.com/v1", "Widget", configMap());

        assertThat(decoder.decode(value))
                .isEqualTo(
                        new Refused(Reason.UNKNOWN_KIND, "no table for Widget of example.com/v1"));
    }

    @Test
    void refusesAnEnvelopeOfAnotherEncoding() {
        Runtime.Unknown.Builder envelope =
                Runtime.Unknown.newBuilder()
                        .setTypeMeta(
                                Runtime.TypeMeta.newBuilder().setApiVersion("v1").setKind("Pod"));

        byte[] json = Stored.withPrefix(envelope.setContentType("application/json").build());
        byte[] zipped = Stored.withPrefix(envelope.setContentEncoding("gzip").build());
        byte[] nameless = Stored.withPrefix(Runtime.Unknown.getDefaultInstance());

        assertThat(reason(decoder.decode(json))).isEqualTo(Reason.MALFORMED);
        assertThat(reason(decoder.decode(zipped))).isEqualTo(Reason.MALFORMED);
        assertThat(reason(decoder.decode(nameless))).isEqualTo(Reason.MALFORMED);
    }

    @Test
    void refusesEveryTruncation() {
        byte[] value = Stored.value("v1", "ConfigMap", configMap());
        // The envelope ends with two empty fields of two bytes each, and is complete without them.
        for (int length = 4; length < value.length - 4; length++) {
            byte[] cut = Arrays.copyOf(value, length);
            assertThat(reason(decoder.decode(cut))).as("%d bytes", length).isNotNull();
        }
    }

    @Test
    void refusesADuplicateMessage() {
        ByteString once =
                V1.Pod.newBuilder().setSpec(V1.PodSpec.newBuilder()).build().toByteString();

        DecodeResult decoded = decoder.decode(Stored.value("v1", "Pod", once.concat(once)));

        assertThat(decoded)
                .isEqualTo(new Refused(Reason.MALFORMED, "core.v1.Pod.spec occurs twice"));
    }

    @Test
    void takesTheLastOfDuplicateScalars() {
        V1.ObjectReference a = V1.ObjectReference.newBuilder().setName("a").build();
        V1.ObjectReference b = V1.ObjectReference.newBuilder().setName("b").build();
        ByteString target = a.toByteString().concat(b.toByteString());
        ByteString event =
                ByteString.copyFrom(new byte[] {0x12, (byte) target.size()}).concat(target);

        assertThat(json(decoder.decode(Stored.value("v1", "Event", event))))
                .contains("\"involvedObject\":{\"name\":\"b\"}");
    }

    @Test
    void refusesValuesAboveALimit() {
        byte[] value = Stored.value("v1", "ConfigMap", configMap());
        KubernetesDecoder smallValues = new KubernetesDecoder(value.length - 1, 1000);
        KubernetesDecoder smallJson = new KubernetesDecoder(value.length, 100);

        assertThat(reason(smallValues.decode(value))).isEqualTo(Reason.TOO_LARGE);
        assertThat(reason(smallJson.decode(value))).isEqualTo(Reason.TOO_LARGE);
        assertThatIllegalArgumentException().isThrownBy(() -> new KubernetesDecoder(0, 1));
    }

    private static V1.ConfigMap configMap() {
        Meta.ObjectMeta metadata =
                Stored.metadata("shop", "settings")
                        .putLabels("tier", "web")
                        .putLabels("app", "shop")
                        .build();
        return V1.ConfigMap.newBuilder()
                .setMetadata(metadata)
                .putData("a", "1")
                .putBinaryData("key", ByteString.copyFrom(new byte[] {0, 1, 2}))
                .build();
    }

    private static String json(DecodeResult decoded) {
        assertThat(decoded).isInstanceOf(Json.class);
        return ((Json) decoded).json().utf8();
    }

    private static Reason reason(DecodeResult decoded) {
        return ((Refused) decoded).reason();
    }
}
