package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.kubernetes.client.proto.IntStr;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Resource;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apiextensions;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Certificates;
import io.kubernetes.client.proto.V1Coordination;
import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.kubernetes.wire.DecodeResult.Json;
import io.tidemark.kubernetes.wire.DecodeResult.Refused;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Types whose printed form differs from their encoding. */
class ValuePrinterTest {
    private final KubernetesDecoder decoder = new KubernetesDecoder();

    @Test
    void quantitiesAreText() {
        V1.ResourceQuota quota =
                V1.ResourceQuota.newBuilder()
                        .setSpec(
                                V1.ResourceQuotaSpec.newBuilder()
                                        .putHard("cpu", Stored.quantity("1500m"))
                                        .putHard("memory", Stored.quantity("2Gi"))
                                        .putHard("pods", Resource.Quantity.getDefaultInstance())
                                        .putHard("x", Stored.quantity("1e3")))
                        .build();

        assertThat(json("v1", "ResourceQuota", quota))
                .contains(
                        "\"hard\":{\"cpu\":\"1500m\",\"memory\":\"2Gi\",\"pods\":\"0\",\"x\":\"1e3\"}");
    }

    @Test
    void refusesInvalidQuantities() {
        for (String text : new String[] {"", "m", "1\"", "1.2.3", "1Kb", "1e", "--1"}) {
            V1.ResourceQuota quota =
                    V1.ResourceQuota.newBuilder()
                            .setSpec(
                                    V1.ResourceQuotaSpec.newBuilder()
                                            .putHard("cpu", Stored.quantity(text)))
                            .build();
            assertThat(decoder.decode(Stored.value("v1", "ResourceQuota", quota)))
                    .as(text)
                    .isInstanceOf(Refused.class);
        }
    }

    @Test
    void aPortIsANumberOrAName() {
        assertThat(service(Stored.port(8080))).contains("\"targetPort\":8080}");
        assertThat(service(Stored.portName("web"))).contains("\"targetPort\":\"web\"}");
        assertThat(service(IntStr.IntOrString.getDefaultInstance())).contains("\"targetPort\":0}");
    }

    @Test
    void timesAreUtcAndNullWhenZero() {
        assertThat(condition(Stored.time(0))).contains("\"1970-01-01T00:00:00Z\"");
        assertThat(condition(Stored.time(-1))).contains("\"1969-12-31T23:59:59Z\"");
        assertThat(condition(Stored.time(253402300800L))).contains("\"10000-01-01T00:00:00Z\"");
        assertThat(condition(Meta.Time.getDefaultInstance())).contains("\"lastProbeTime\":null");
        assertThat(condition(Stored.time(-62135596800L))).contains("\"lastProbeTime\":null");
    }

    @Test
    void refusesTimesWithoutAYear() {
        for (long seconds : new long[] {Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MAX_VALUE}) {
            V1Coordination.Lease lease =
                    V1Coordination.Lease.newBuilder()
                            .setMetadata(
                                    Meta.ObjectMeta.newBuilder()
                                            .setCreationTimestamp(Stored.time(seconds)))
                            .build();
            assertThat(decoder.decode(Stored.value("coordination.k8s.io/v1", "Lease", lease)))
                    .isInstanceOf(Refused.class);
        }
    }

    @Test
    void microTimesHaveSixDigits() {
        Meta.MicroTime time = Meta.MicroTime.newBuilder().setSeconds(1).setNanos(1_002_999).build();
        V1Coordination.Lease lease =
                V1Coordination.Lease.newBuilder()
                        .setSpec(V1Coordination.LeaseSpec.newBuilder().setRenewTime(time))
                        .build();

        assertThat(json("coordination.k8s.io/v1", "Lease", lease))
                .contains("\"renewTime\":\"1970-01-01T00:00:01.001002Z\"");
    }

    @Test
    void bytesAreBase64() {
        V1.Secret secret =
                V1.Secret.newBuilder()
                        .putData("a", ByteString.copyFromUtf8("secret?"))
                        .putData("empty", ByteString.EMPTY)
                        .build();

        assertThat(json("v1", "Secret", secret))
                .contains("\"data\":{\"a\":\"c2VjcmV0Pw==\",\"empty\":\"\"}");
    }

    @Test
    void embeddedJsonIsCompactedAndEscaped() {
        V1Apps.ControllerRevision revision =
                V1Apps.ControllerRevision.newBuilder()
                        .setData(raw("{ \"a\" : [1, 2.50, \"<b> & c\"] }\n"))
                        .setRevision(3)
                        .build();

        assertThat(json("apps/v1", "ControllerRevision", revision))
                .contains(
                        "\"data\":{\"a\":[1,2.50,\"\\u003cb\\u003e \\u0026 c\"]},\"revision\":3}");
    }

    @Test
    void absentEmbeddedJsonIsNull() {
        V1Apps.ControllerRevision revision = V1Apps.ControllerRevision.getDefaultInstance();

        assertThat(json("apps/v1", "ControllerRevision", revision))
                .contains("\"data\":null,\"revision\":0}");
    }

    @Test
    void refusesInvalidEmbeddedJson() {
        V1Apps.ControllerRevision revision =
                V1Apps.ControllerRevision.newBuilder().setData(raw("{\"a\":}")).build();

        assertThat(decoder.decode(Stored.value("apps/v1", "ControllerRevision", revision)))
                .isInstanceOf(Refused.class);
    }

    @Test
    void printsAWrappedListAsAList() {
        V1Certificates.CertificateSigningRequest request =
                V1Certificates.CertificateSigningRequest.newBuilder()
                        .setSpec(
                                V1Certificates.CertificateSigningRequestSpec.newBuilder()
                                        .putExtra(
                                                "scopes",
                                                V1Certificates.ExtraValue.newBuilder()
                                                        .addItems("a")
                                                        .addItems("b")
                                                        .build()))
                        .build();

        assertThat(json("certificates.k8s.io/v1", "CertificateSigningRequest", request))
                .contains("\"extra\":{\"scopes\":[\"a\",\"b\"]}")
                .contains("\"request\":null");
    }

    @Test
    void printsAlternativesOfSchemas() {
        V1Apiextensions.JSONSchemaProps text =
                V1Apiextensions.JSONSchemaProps.newBuilder().setType("string").build();
        V1Apiextensions.JSONSchemaProps schema =
                V1Apiextensions.JSONSchemaProps.newBuilder()
                        .setRef("#/a")
                        .setMaximum(1.5)
                        .setItems(
                                V1Apiextensions.JSONSchemaPropsOrArray.newBuilder().setSchema(text))
                        .setAdditionalProperties(
                                V1Apiextensions.JSONSchemaPropsOrBool.newBuilder().setAllows(false))
                        .setAdditionalItems(
                                V1Apiextensions.JSONSchemaPropsOrBool.newBuilder()
                                        .setAllows(true)
                                        .setSchema(text))
                        .putAllDependencies(
                                Map.of(
                                        "x",
                                        V1Apiextensions.JSONSchemaPropsOrStringArray.newBuilder()
                                                .addProperty("y")
                                                .build()))
                        .setDefault(
                                V1Apiextensions.JSON
                                        .newBuilder()
                                        .setRaw(ByteString.copyFromUtf8("[1]")))
                        .build();
        V1Apiextensions.CustomResourceDefinition crd =
                V1Apiextensions.CustomResourceDefinition.newBuilder()
                        .setSpec(
                                V1Apiextensions.CustomResourceDefinitionSpec.newBuilder()
                                        .addVersions(
                                                V1Apiextensions.CustomResourceDefinitionVersion
                                                        .newBuilder()
                                                        .setSchema(
                                                                V1Apiextensions
                                                                        .CustomResourceValidation
                                                                        .newBuilder()
                                                                        .setOpenAPIV3Schema(
                                                                                schema))))
                        .build();

        assertThat(json("apiextensions.k8s.io/v1", "CustomResourceDefinition", crd))
                .contains("\"$ref\":\"#/a\"")
                .contains("\"default\":[1],\"maximum\":1.5")
                .contains("\"items\":{\"type\":\"string\"}")
                .contains("\"additionalProperties\":false")
                .contains("\"additionalItems\":{\"type\":\"string\"}")
                .contains("\"dependencies\":{\"x\":[\"y\"]}");
    }

    @Test
    void printsPresentPointersEvenIfEmpty() {
        V1.PodSpec spec =
                V1.PodSpec.newBuilder()
                        .setHostNetwork(false)
                        .setEnableServiceLinks(false)
                        .setTerminationGracePeriodSeconds(0)
                        .setSecurityContext(V1.PodSecurityContext.getDefaultInstance())
                        .setNodeName("")
                        .build();
        V1.Pod pod = V1.Pod.newBuilder().setSpec(spec).build();

        assertThat(json("v1", "Pod", pod))
                .contains(
                        "\"spec\":{\"containers\":null,\"terminationGracePeriodSeconds\":0,"
                                + "\"securityContext\":{},\"enableServiceLinks\":false}");
    }

    @Test
    void sortsMapsAndTakesTheLastOfDuplicateKeys() {
        ByteString z = V1.ConfigMap.newBuilder().putData("z", "1").build().toByteString();
        ByteString a = V1.ConfigMap.newBuilder().putData("a", "2").build().toByteString();
        ByteString again = V1.ConfigMap.newBuilder().putData("z", "3").build().toByteString();
        byte[] value = Stored.value("v1", "ConfigMap", z.concat(a).concat(again));

        assertThat(((Json) decoder.decode(value)).json().utf8())
                .endsWith("\"data\":{\"a\":\"2\",\"z\":\"3\"}}");
    }

    @Test
    void readsPackedNumbers() {
        // supplementalGroups (4) of a security context: 1 and 300, in one packed field.
        ByteString groups = ByteString.copyFrom(new byte[] {0x22, 3, 1, (byte) 0xac, 2});
        ByteString spec =
                ByteString.copyFrom(new byte[] {0x72, (byte) groups.size()}).concat(groups);
        ByteString pod = ByteString.copyFrom(new byte[] {0x12, (byte) spec.size()}).concat(spec);

        assertThat(((Json) decoder.decode(Stored.value("v1", "Pod", pod))).json().utf8())
                .contains("\"supplementalGroups\":[1,300]");
    }

    private String json(String apiVersion, String kind, Message object) {
        DecodeResult decoded = decoder.decode(Stored.value(apiVersion, kind, object));
        assertThat(decoded).isInstanceOf(Json.class);
        return ((Json) decoded).json().utf8();
    }

    private String service(IntStr.IntOrString targetPort) {
        return json(
                "v1",
                "Service",
                V1.Service.newBuilder()
                        .setSpec(
                                V1.ServiceSpec.newBuilder()
                                        .addPorts(
                                                V1.ServicePort.newBuilder()
                                                        .setPort(80)
                                                        .setTargetPort(targetPort)))
                        .build());
    }

    private String condition(Meta.Time time) {
        return json(
                "v1",
                "Pod",
                V1.Pod.newBuilder()
                        .setStatus(
                                V1.PodStatus.newBuilder()
                                        .addConditions(
                                                V1.PodCondition.newBuilder()
                                                        .setLastProbeTime(time)))
                        .build());
    }

    private static Runtime.RawExtension raw(String json) {
        return Runtime.RawExtension.newBuilder().setRaw(ByteString.copyFromUtf8(json)).build();
    }
}
