package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Batch;
import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.kubernetes.wire.DecodeResult.Json;
import org.junit.jupiter.api.Test;

/** Members that are served but not stored. */
class ReadTimeAdditionsTest {
    private final KubernetesDecoder decoder = new KubernetesDecoder();

    @Test
    void servesAJobWithoutLabelsWithThoseOfItsTemplate() {
        V1.PodTemplateSpec template =
                V1.PodTemplateSpec.newBuilder()
                        .setMetadata(Meta.ObjectMeta.newBuilder().putLabels("job", "a"))
                        .build();
        V1Batch.JobSpec spec = V1Batch.JobSpec.newBuilder().setTemplate(template).build();
        V1Batch.Job bare =
                V1Batch.Job.newBuilder()
                        .setMetadata(Stored.metadata("n", "x"))
                        .setSpec(spec)
                        .build();
        V1Batch.Job labelled =
                bare.toBuilder()
                        .setMetadata(Stored.metadata("n", "x").putLabels("own", "b"))
                        .build();

        assertThat(json("batch/v1", "Job", bare))
                .contains(
                        "Z\",\"labels\":{\"job\":\"a\"}},\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"job\":\"a\"}}");
        assertThat(json("batch/v1", "Job", labelled)).contains("Z\",\"labels\":{\"own\":\"b\"}}");
    }

    @Test
    void setsDefaultsOfTheApiServer() {
        V1Apps.StatefulSet set =
                V1Apps.StatefulSet.newBuilder()
                        .setSpec(
                                V1Apps.StatefulSetSpec.newBuilder()
                                        .addVolumeClaimTemplates(
                                                V1.PersistentVolumeClaim.getDefaultInstance()))
                        .build();

        assertThat(json("apps/v1", "StatefulSet", set))
                .contains(
                        "\"volumeClaimTemplates\":[{\"kind\":\"PersistentVolumeClaim\",\"apiVersion\":\"v1\","
                            + "\"metadata\":{},\"spec\":{\"resources\":{}},\"status\":{\"phase\":\"Pending\"}}]");
    }

    private String json(String apiVersion, String kind, Message object) {
        DecodeResult decoded = decoder.decode(Stored.value(apiVersion, kind, object));
        assertThat(decoded).isInstanceOf(Json.class);
        return ((Json) decoded).json().utf8();
    }
}
