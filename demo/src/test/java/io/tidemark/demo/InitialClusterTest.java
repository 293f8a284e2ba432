package io.tidemark.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.record.Bytes;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InitialClusterTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    private final Map<Bytes, ObjectNode> objects = InitialCluster.generate(7, NOW);

    @Test
    void sameSeedGivesTheSameCluster() {
        assertThat(InitialCluster.generate(7, NOW)).isEqualTo(objects);
        assertThat(InitialCluster.generate(8, NOW)).isNotEqualTo(objects);
    }

    @Test
    void hasTheDocumentedNumberOfObjects() {
        assertThat(in("namespaces")).hasSize(8);
        assertThat(in("minions")).hasSize(5);
        assertThat(in("leases")).hasSize(5);
        assertThat(in("pods")).hasSize(150);
        assertThat(in("deployments")).hasSameSizeAs(in("replicasets")).hasSize(23);
        assertThat(in("services/specs")).hasSameSizeAs(in("endpointslices")).hasSize(23);
        assertThat(in("configmaps")).hasSize(23);
        assertThat(in("apiextensions.k8s.io/customresourcedefinitions")).hasSize(1);
        assertThat(in("harbour.tidemark.io/voyages")).hasSize(20);
    }

    @Test
    void objectsAreValidKubernetesObjects() {
        Set<String> uids = new HashSet<>();
        objects.forEach((key, json) -> {
            assertThat(json.path("kind").asText()).isNotEmpty();
            assertThat(json.path("apiVersion").asText()).isNotEmpty();
            JsonNode metadata = json.get("metadata");
            assertThat(metadata.has("resourceVersion")).isFalse();
            assertThat(key.utf8()).endsWith("/" + metadata.get("name").asText());
            if (metadata.has("namespace")) {
                assertThat(key.utf8()).contains("/" + metadata.get("namespace").asText() + "/");
            }
            assertThat(Instant.parse(metadata.get("creationTimestamp").asText()))
                    .isBeforeOrEqualTo(NOW);
            assertThat(uids.add(metadata.get("uid").asText())).isTrue();
            assertThat(json.toString()).doesNotContain("${");
        });
    }

    @Test
    void ownersAndNamespacesExist() {
        Map<String, String> uidsByName = new HashMap<>();
        objects.values()
                .forEach(json ->
                        uidsByName.put(
                                json.get("kind").asText()
                                        + " "
                                        + json.at("/metadata/name").asText(),
                                json.at("/metadata/uid").asText()));
        for (ObjectNode json : objects.values()) {
            for (JsonNode owner : json.at("/metadata/ownerReferences")) {
                String name = owner.get("kind").asText() + " " + owner.get("name").asText();
                assertThat(uidsByName).containsEntry(name, owner.get("uid").asText());
            }
            if (json.at("/metadata").has("namespace")) {
                assertThat(uidsByName)
                        .containsKey("Namespace " + json.at("/metadata/namespace").asText());
            }
        }
    }

    @Test
    void podsRunOnExistingNodesWithUniqueAddresses() {
        Map<String, JsonNode> nodes = new HashMap<>();
        in("minions").forEach(node -> nodes.put(node.at("/metadata/name").asText(), node));
        Set<String> addresses = new HashSet<>();
        for (ObjectNode pod : in("pods")) {
            JsonNode node = nodes.get(pod.at("/spec/nodeName").asText());
            assertThat(node).isNotNull();
            assertThat(pod.at("/status/hostIP")).isEqualTo(node.at("/status/addresses/0/address"));
            String network = node.at("/spec/podCIDR").asText().replace("0/24", "");
            assertThat(pod.at("/status/podIP").asText()).startsWith(network);
            assertThat(addresses.add(pod.at("/status/podIP").asText())).isTrue();
            assertThat(pod.at("/metadata/labels"))
                    .extracting(label -> label.asText().isEmpty())
                    .containsOnly(false);
            assertThat(pod.at("/spec/containers/0/name")).isEqualTo(pod.at("/metadata/labels/app"));
        }
    }

    @Test
    void statusCountsMatchThePods() {
        for (ObjectNode deployment : in("deployments")) {
            String name = deployment.at("/metadata/name").asText();
            List<ObjectNode> pods =
                    in("pods").stream()
                            .filter(pod -> pod.at("/metadata/labels/app").asText().equals(name))
                            .toList();
            assertThat(deployment.at("/spec/replicas").isNumber()).isTrue();
            assertThat(deployment.at("/spec/replicas").asInt()).isEqualTo(pods.size());
            ObjectNode slice =
                    in("endpointslices").stream()
                            .filter(one -> one.at("/metadata/labels/app").asText().equals(name))
                            .findFirst()
                            .orElseThrow();
            assertThat(slice.get("endpoints"))
                    .extracting(endpoint -> endpoint.at("/targetRef/uid").asText())
                    .containsExactlyElementsOf(
                            pods.stream().map(pod -> pod.at("/metadata/uid").asText()).toList());
        }
    }

    private List<ObjectNode> in(String directory) {
        return objects.entrySet().stream()
                .filter(object -> object.getKey().utf8().startsWith(directory + "/"))
                .map(Map.Entry::getValue)
                .toList();
    }
}
