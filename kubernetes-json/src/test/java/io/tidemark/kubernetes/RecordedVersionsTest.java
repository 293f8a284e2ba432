package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.kubernetes.RecordedCluster.Entry;
import io.tidemark.kubernetes.convert.VersionConverter;
import io.tidemark.kubernetes.structural.CustomResources;
import io.tidemark.kubernetes.wire.DecodeResult.Json;
import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects that are served in another form than stored, against the recording. */
class RecordedVersionsTest {
    private final KubernetesDecoder decoder = new KubernetesDecoder();
    private final VersionConverter versions = new VersionConverter();

    @Test
    void definitionsOfCustomResourcesAreServedAsV1() {
        List<Entry> definitions = entries("CustomResourceDefinition");

        for (Entry entry : definitions) {
            Bytes stored = Bytes.wrap(entry.value());
            String wanted = VersionConverter.preferred(entry.apiVersion(), entry.kind());
            ObjectNode converted =
                    (ObjectNode) tree(versions.convert(stored, wanted).orElseThrow());
            ((ObjectNode) converted.get("metadata"))
                    .put("resourceVersion", Long.toString(entry.modRevision()));
            assertThat(converted).isEqualTo(entry.served());
            assertThat(converted.get("spec").toString())
                    .isEqualTo(entry.served().get("spec").toString());
        }
        System.out.printf("%d definitions equal%n", definitions.size());
    }

    @ParameterizedTest
    @CsvSource({
        "Event, events.k8s.io/v1, s-0216",
        "HorizontalPodAutoscaler, autoscaling/v1, s-0237"
    })
    void convertsToASecondVersionAsRecorded(String kind, String apiVersion, String answer) {
        Map<String, JsonNode> recorded = items(answer);
        int equal = 0;
        for (Entry entry : entries(kind)) {
            Json stored = (Json) decoder.decode(entry.value(), entry.modRevision());
            ObjectNode converted =
                    (ObjectNode) tree(versions.convert(stored.json(), apiVersion).orElseThrow());
            assertThat(converted.remove("kind").asText()).isEqualTo(kind);
            assertThat(converted.remove("apiVersion").asText()).isEqualTo(apiVersion);
            JsonNode expected = recorded.get(name(converted));
            assertThat(converted.toString()).isEqualTo(expected.toString());
            equal++;
        }
        System.out.printf("%d of %s in %s equal%n", equal, kind, apiVersion);
        assertThat(equal).isPositive();
    }

    @Test
    void convertsEventsToTheOtherGroupAndBack() {
        for (Entry entry : entries("Event")) {
            Bytes core = ((Json) decoder.decode(entry.value(), 1)).json();
            Bytes other = versions.convert(core, "events.k8s.io/v1").orElseThrow();

            assertThat(versions.convert(other, "v1")).contains(core);
        }
    }

    @Test
    void servesCustomResourcesAsRecorded() {
        Map<String, CustomResources> resources = resources();
        int equal = 0;
        for (Entry entry : recording().entries()) {
            CustomResources resource = resources.get(entry.kind());
            if (entry.protobuf() || resource == null) {
                continue;
            }
            Bytes served = resource.served(entry.value(), entry.modRevision());
            assertThat(tree(served).toString()).isEqualTo(entry.served().toString());
            equal++;
        }
        System.out.printf("%d custom resources equal%n", equal);
        assertThat(equal).isEqualTo(190);
    }

    @Test
    void servesCustomResourcesInAnotherVersion() {
        CustomResources widgets = resources().get("Widget");
        Map<String, JsonNode> recorded = items("s-0541");
        for (Entry entry : entries("Widget")) {
            Bytes served =
                    widgets.served(entry.value(), "v1beta1", entry.modRevision()).orElseThrow();
            JsonNode tree = tree(served);
            assertThat(tree.toString()).isEqualTo(recorded.get(name(tree)).toString());
        }
        System.out.printf("%d custom resources in another version equal%n", recorded.size());
    }

    private Map<String, CustomResources> resources() {
        Map<String, CustomResources> resources = new HashMap<>();
        for (Entry entry : entries("CustomResourceDefinition")) {
            Bytes definition =
                    Bytes.wrap(entry.served().toString().getBytes(StandardCharsets.UTF_8));
            CustomResources resource = CustomResources.compile(definition, 1 << 20);
            resources.put(resource.kind(), resource);
        }
        return resources;
    }

    private static Map<String, JsonNode> items(String answer) {
        Optional<JsonNode> body = recording().answer(answer);
        assumeTrue(body.isPresent(), RecordedCluster.NEEDED);
        Map<String, JsonNode> items = new HashMap<>();
        body.get().get("items").forEach(item -> items.put(name(item), item));
        return items;
    }

    private static String name(JsonNode object) {
        JsonNode metadata = object.get("metadata");
        return metadata.path("namespace").asText() + "/" + metadata.get("name").asText();
    }

    private static List<Entry> entries(String kind) {
        return recording().entries().stream().filter(e -> e.kind().equals(kind)).toList();
    }

    private static RecordedCluster recording() {
        Optional<RecordedCluster> recording = RecordedCluster.find();
        assumeTrue(recording.isPresent(), RecordedCluster.NEEDED);
        return recording.get();
    }

    private static JsonNode tree(Bytes json) {
        return RecordedCluster.parse(json.utf8());
    }
}
