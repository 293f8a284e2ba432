package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apiextensions;
import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.kubernetes.wire.DecodeResult.Json;
import io.tidemark.kubernetes.wire.DecodeResult.Reason;
import io.tidemark.kubernetes.wire.DecodeResult.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any input decodes to an object or is refused with a reason, without an exception and within the
 * memory limits. The test's name has the seed.
 */
class ArbitraryBytesTest {
    private static final int MAX_JSON = 1 << 20;
    private static final int ROUNDS = 2_000;

    private final KubernetesDecoder decoder = new KubernetesDecoder(1 << 20, MAX_JSON);

    static LongStream seeds() {
        return LongStream.concat(
                LongStream.rangeClosed(1, 8), LongStream.of(Long.getLong("tidemark.seed", 9)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void decodesOrRefusesMutatedValues(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<byte[]> values = values();
        for (int round = 0; round < ROUNDS; round++) {
            byte[] value = values.get(random.nextInt(values.size())).clone();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                value = mutated(value, random);
            }
            decodeOrRefuse(value);
        }
    }

    @Test
    void decodesOrRefusesMutatedRecordedValues() {
        Optional<RecordedCluster> recording = RecordedCluster.find();
        assumeTrue(recording.isPresent(), RecordedCluster.NEEDED);
        SplittableRandom random = new SplittableRandom(11);
        for (RecordedCluster.Entry entry : recording.get().entries()) {
            if (entry.protobuf()) {
                for (int i = 0; i < 5; i++) {
                    decodeOrRefuse(mutated(mutated(entry.value().clone(), random), random));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void decodesOrRefusesAnyBytesAfterTheEnvelope(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String[] kinds = {"Pod", "ConfigMap", "Service", "Node", "Event"};
        for (int round = 0; round < ROUNDS; round++) {
            byte[] raw = new byte[random.nextInt(200)];
            random.nextBytes(raw);
            String kind = kinds[random.nextInt(kinds.length)];
            decodeOrRefuse(Stored.value("v1", kind, ByteString.copyFrom(raw)));
            decodeOrRefuse(raw);
        }
    }

    @Test
    void refusesEndlesslyNestedMessages() {
        V1Apiextensions.JSONSchemaProps schema =
                V1Apiextensions.JSONSchemaProps.getDefaultInstance();
        for (int depth = 0; depth < 300; depth++) {
            schema = V1Apiextensions.JSONSchemaProps.newBuilder().setNot(schema).build();
        }
        var version =
                V1Apiextensions.CustomResourceDefinitionVersion.newBuilder()
                        .setSchema(
                                V1Apiextensions.CustomResourceValidation.newBuilder()
                                        .setOpenAPIV3Schema(schema));
        var crd =
                V1Apiextensions.CustomResourceDefinition.newBuilder()
                        .setSpec(
                                V1Apiextensions.CustomResourceDefinitionSpec.newBuilder()
                                        .addVersions(version))
                        .build();

        DecodeResult result =
                decoder.decode(
                        Stored.value("apiextensions.k8s.io/v1", "CustomResourceDefinition", crd));

        assertThat(result).isInstanceOf(Refused.class);
        assertThat(((Refused) result).reason()).isEqualTo(Reason.TOO_DEEP);
    }

    @Test
    void limitsTheOutputOfSmallInputs() {
        // An empty container takes two bytes and prints as {"name":"","resources":{}}.
        byte[] containers = new byte[200_000];
        for (int i = 0; i < containers.length; i += 2) {
            containers[i] = 0x12;
        }
        UnknownFieldSet spec =
                UnknownFieldSet.newBuilder()
                        .addField(
                                2,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(ByteString.copyFrom(containers))
                                        .build())
                        .build();

        DecodeResult result = decoder.decode(Stored.value("v1", "Pod", spec));

        assertThat(((Refused) result).reason()).isEqualTo(Reason.TOO_LARGE);
    }

    private void decodeOrRefuse(byte[] value) {
        switch (decoder.decode(value, 5)) {
            case Json object -> {
                assertThat(object.json().length()).isLessThanOrEqualTo(MAX_JSON);
                JsonNode parsed = RecordedCluster.parse(object.json().utf8());
                assertThat(parsed.path("kind").asText()).isEqualTo(object.kind());
            }
            case Refused(Reason reason, String text) -> {
                assertThat(reason).isNotNull();
                assertThat(text).isNotBlank().doesNotContain(KubernetesDecoder.FAULT);
            }
        }
    }

    private static byte[] mutated(byte[] value, SplittableRandom random) {
        if (value.length < 8) {
            return value;
        }
        // Keeps the prefix: without it every value is refused for the same reason.
        int at = 4 + random.nextInt(value.length - 4);
        ByteString whole = ByteString.copyFrom(value);
        return switch (random.nextInt(6)) {
            case 0 -> changed(value, at, (byte) random.nextInt());
            case 1 -> changed(value, at, (byte) (value[at] ^ 1 << random.nextInt(8)));
            case 2 -> whole.substring(0, at).toByteArray();
            case 3 -> whole.substring(0, at).concat(whole.substring(at - 4)).toByteArray();
            case 4 ->
                    whole.substring(0, at)
                            .concat(whole.substring(Math.min(at + 3, value.length)))
                            .toByteArray();
            default -> changed(value, at, (byte) 0xff);
        };
    }

    private static byte[] changed(byte[] value, int at, byte b) {
        value[at] = b;
        return value;
    }

    private static List<byte[]> values() {
        V1.Container container =
                V1.Container.newBuilder()
                        .setName("web")
                        .addPorts(V1.ContainerPort.newBuilder().setContainerPort(80))
                        .setLivenessProbe(
                                V1.Probe.newBuilder()
                                        .setHandler(
                                                V1.ProbeHandler.newBuilder()
                                                        .setHttpGet(
                                                                V1.HTTPGetAction.newBuilder()
                                                                        .setPort(
                                                                                Stored.portName(
                                                                                        "web")))))
                        .setResources(
                                V1.ResourceRequirements.newBuilder()
                                        .putLimits("cpu", Stored.quantity("100m")))
                        .build();
        Meta.ManagedFieldsEntry fields =
                Meta.ManagedFieldsEntry.newBuilder()
                        .setTime(Stored.time(1))
                        .setFieldsV1(
                                Meta.FieldsV1.newBuilder()
                                        .setRaw(
                                                ByteString.copyFromUtf8(
                                                        "{\"f:spec\":{\"f:a\":{},\".\":{}}}")))
                        .build();
        V1.Pod pod =
                V1.Pod.newBuilder()
                        .setMetadata(
                                Stored.metadata("n", "p")
                                        .putLabels("a", "<é>")
                                        .addManagedFields(fields))
                        .setSpec(V1.PodSpec.newBuilder().addContainers(container))
                        .build();
        V1.Secret secret =
                V1.Secret.newBuilder().putData("k", ByteString.copyFromUtf8("v")).build();
        List<byte[]> values = new ArrayList<>();
        values.add(Stored.value("v1", "Pod", pod));
        values.add(Stored.value("v1", "Secret", secret));
        return values;
    }
}
