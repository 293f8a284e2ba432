package io.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The base of Kustomize is the chart. To write it again: {@code mvn test -pl e2e-tests -am
 * -Dtest=KustomizeTest -Dtidemark.kustomize=write -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class KustomizeTest {
    private static final Path FOLDER = Path.of("..", "deploy", "kustomize");
    private static final Path BASE = FOLDER.resolve("base").resolve("tidemark.yaml");

    /** Placeholders that the example replaces, and the names of Secrets that the docs use. */
    private static final Map<String, String> VALUES =
            Map.of(
                    "etcd.endpoints[0]", "https://etcd:2379",
                    "kafka.connectorConfigSecret", "kafka-connector",
                    "kafka.nodeConfigSecret", "kafka-node");

    @Test
    void theBaseIsTheChart() throws IOException {
        Chart.requireHelm();
        String rendered = Chart.text("tidemark", "tidemark", VALUES);
        if ("write".equals(System.getProperty("tidemark.kustomize"))) {
            Files.writeString(BASE, rendered.strip() + "\n");
        }
        assertThat(byName(Chart.documents(Files.readString(BASE))))
                .isEqualTo(byName(Chart.documents(rendered)));
    }

    @Test
    void theExampleReplacesEachPlaceholder() throws Exception {
        // Older ones have a Kustomize that lacks parts of the example, and do not name it.
        assumeTrue(
                kubectl("version", "--client").contains("Kustomize Version"),
                "needs kubectl 1.24 or later");
        String text = kubectl("kustomize", FOLDER.resolve("example").toString());
        List<JsonNode> manifests = Chart.documents(text);
        assertThat(byName(manifests).keySet())
                .isEqualTo(byName(Chart.documents(Files.readString(BASE))).keySet());
        assertThat(text).doesNotContain("https://etcd:2379").doesNotContain("kafka:9093");
        assertThat(
                        Stream.of(
                                byName(manifests).get("StatefulSet tidemark-node"),
                                byName(manifests).get("Deployment tidemark-connector")))
                .allSatisfy(each ->
                        assertThat(each.at("/spec/template/spec/containers/0/image").asText())
                                .isEqualTo("registry.example/tidemark:0.1.0"));
        assertThat(byName(manifests).get("StatefulSet tidemark-node").at("/spec/replicas").asInt())
                .isEqualTo(5);
        for (JsonNode manifest : manifests) {
            assertThat(ManifestSchemas.problem(manifest)).isEmpty();
            assertThat(PodPolicy.broken(manifest)).isEmpty();
        }
    }

    /** Its output; skips the test without one. */
    private static String kubectl(String... arguments) throws Exception {
        Process process;
        try {
            process =
                    new ProcessBuilder(
                                    Stream.concat(Stream.of("kubectl"), Stream.of(arguments))
                                            .toList())
                            .redirectErrorStream(true)
                            .start();
        } catch (IOException _) {
            return abort("needs kubectl");
        }
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return text;
    }

    private static Map<String, JsonNode> byName(List<JsonNode> manifests) {
        Map<String, JsonNode> named = new TreeMap<>();
        for (JsonNode each : manifests) {
            named.put(each.path("kind").asText() + " " + each.at("/metadata/name").asText(), each);
        }
        assertThat(named).hasSameSizeAs(manifests);
        return named;
    }
}
