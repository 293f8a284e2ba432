package io.tidemark.query.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.query.cluster.NodeStatus.ReplicaStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterStatusTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final long NOW = 100_000;
    private static final String LEADER =
            "{\"url\":\"http://c:8090\",\"phase\":\"FOLLOWING\",\"epoch\":7,\"revision\":50}";

    private static ReplicaStatus replica(int partition, boolean active, long watermark) {
        return new ReplicaStatus(
                partition, active, true, 7, 10, watermark, NOW - 400, 5, 5, 1_000, 0);
    }

    private static ReplicaStatus restoring(int partition, boolean active) {
        return new ReplicaStatus(partition, active, false, 7, 0, 20, 0, 1, 5, 100, 0);
    }

    private static NodeStatus node(String name, ReplicaStatus... replicas) {
        return new NodeStatus(
                name + ":8180", "http://" + name + ":8080", "RUNNING", "", 3, 1, List.of(replicas));
    }

    private static JsonNode status(
            NodeStatus self, Map<String, Optional<byte[]>> others, String connector)
            throws Exception {
        return status(self, others, Map.of(), connector);
    }

    private static JsonNode status(
            NodeStatus self,
            Map<String, Optional<byte[]>> others,
            Map<String, NodeConnection> connections,
            String connector)
            throws Exception {
        Optional<JsonNode> leader =
                connector.isEmpty() ? Optional.empty() : Optional.of(JSON.readTree(connector));
        return JSON.readTree(new ClusterStatus(self, others, connections, leader, 2, NOW).toJson());
    }

    private static Map<String, Optional<byte[]>> other(NodeStatus node) {
        return Map.of(node.node(), Optional.of(node.toJson()));
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.asText()));
        return texts;
    }

    @Test
    void takesLagOfAPartitionFromItsBestReplica() throws Exception {
        JsonNode status =
                status(
                        node("b", replica(0, false, 49), replica(1, true, 50)),
                        other(node("a", replica(0, true, 45), replica(1, false, 50))),
                        LEADER);
        assertThat(status.path("epoch").asLong()).isEqualTo(7);
        assertThat(status.path("watermark").asLong()).isEqualTo(49);
        assertThat(status.path("floor").asLong()).isEqualTo(10);
        assertThat(status.at("/connector/url").asText()).isEqualTo("http://c:8090");
        JsonNode first = status.at("/partitions/0");
        assertThat(first.path("active").asText()).isEqualTo("a:8180");
        assertThat(texts(first.path("standbys"))).containsExactly("b:8180");
        assertThat(first.path("readable").asBoolean()).isTrue();
        assertThat(first.path("watermark").asLong()).isEqualTo(49);
        assertThat(first.path("floor").asLong()).isEqualTo(10);
        assertThat(first.path("lagRevisions").asLong()).isEqualTo(1);
        assertThat(first.path("lagMillis").asLong()).isEqualTo(400);
        assertThat(first.path("bytes").asLong()).isEqualTo(1_000);
    }

    @Test
    void showsThePeerVersionOfEachConnectionAndWhyThereIsNone() throws Exception {
        NodeStatus a = node("a");
        NodeStatus b = node("b");
        String reason = "it speaks peer versions 7 8, this node 5 6";
        JsonNode nodes =
                status(
                                a,
                                Map.of(
                                        b.node(),
                                        Optional.of(b.toJson()),
                                        "c:8180",
                                        Optional.empty(),
                                        "d:8180",
                                        Optional.empty()),
                                Map.of(
                                        b.node(),
                                        new NodeConnection(5, "", false),
                                        "c:8180",
                                        new NodeConnection(0, reason, true)),
                                "")
                        .path("nodes");
        assertThat(nodes.get(0).has("peerVersion")).isFalse();
        assertThat(nodes.get(1).path("peerVersion").asInt()).isEqualTo(5);
        assertThat(nodes.get(2).path("reachable").asBoolean()).isFalse();
        assertThat(nodes.get(2).path("reason").asText()).isEqualTo(reason);
        assertThat(nodes.get(3).has("reason")).isFalse();
    }

    @Test
    void isWholeWhenEveryPartitionHasItsReplicas() throws Exception {
        NodeStatus active = node("a", replica(0, true, 45), replica(1, true, 50));
        assertThat(isWhole(active, Map.of())).isTrue(); // One per node is the maximum.
        assertThat(isWhole(active, other(node("b")))).isFalse();
        assertThat(isWhole(active, other(node("b", replica(0, false, 45), restoring(1, false)))))
                .isFalse();
        assertThat(isWhole(active, other(node("b", replica(0, false, 45), replica(1, false, 50)))))
                .isTrue();
        assertThat(isWhole(active, Map.of("b:8180", Optional.empty()))).isFalse();
        assertThat(isWhole(node("a", replica(0, true, 45), replica(1, false, 50)), Map.of()))
                .isFalse();
    }

    private static boolean isWhole(NodeStatus self, Map<String, Optional<byte[]>> others)
            throws Exception {
        return status(self, others, LEADER).path("whole").asBoolean();
    }

    @Test
    void listsNodesInOrderWithTheirReplicas() throws Exception {
        JsonNode nodes =
                status(
                                node("b", replica(0, true, 50), replica(1, true, 50)),
                                other(node("a")),
                                LEADER)
                        .path("nodes");
        assertThat(nodes).hasSize(2);
        assertThat(nodes.at("/0/node").asText()).isEqualTo("a:8180");
        assertThat(nodes.at("/0/bytes").asLong()).isZero();
        assertThat(nodes.at("/0/copies")).isEmpty();
        assertThat(nodes.at("/1/url").asText()).isEqualTo("http://b:8080");
        assertThat(nodes.at("/1/bytes").asLong()).isEqualTo(2_000);
        assertThat(nodes.at("/1/watches").asInt()).isEqualTo(3);
        assertThat(nodes.at("/1/reachable").asBoolean()).isTrue();
    }

    @Test
    void isUnreadableIfOnlyADeadNodeHoldsIt() throws Exception {
        JsonNode status =
                status(
                        node("b", replica(1, true, 50)),
                        Map.of(
                                "a:8180",
                                Optional.empty(),
                                "c:8180",
                                Optional.of("half a doc".getBytes(StandardCharsets.UTF_8))),
                        LEADER);
        assertThat(status.at("/partitions/0/readable").asBoolean()).isFalse();
        assertThat(status.at("/partitions/0/active").asText()).isEmpty();
        assertThat(status.at("/partitions/0").has("watermark")).isFalse();
        assertThat(status.at("/partitions/1/readable").asBoolean()).isTrue();
        assertThat(status.path("watermark").asLong()).isZero();
        for (int unreachable = 1; unreachable <= 2; unreachable++) {
            assertThat(status.path("nodes").get(unreachable).path("reachable").asBoolean(true))
                    .isFalse();
        }
        assertThat(status.at("/nodes/2/node").asText()).isEqualTo("c:8180");
    }

    @Test
    void ignoresReplicasThatAreNotReadyOrInAnOlderHistory() throws Exception {
        ReplicaStatus old = new ReplicaStatus(1, true, true, 6, 10, 900, NOW, 5, 5, 1_000, 0);
        JsonNode status = status(node("a", restoring(0, true), old), Map.of(), LEADER);
        assertThat(status.path("epoch").asLong()).isEqualTo(7);
        for (JsonNode partition : status.path("partitions")) {
            assertThat(partition.path("active").asText()).isEqualTo("a:8180");
            assertThat(partition.path("readable").asBoolean()).isFalse();
        }
    }

    @Test
    void measuresLagByTheNewestReplicaWithoutALeader() throws Exception {
        NodeStatus self = node("a", replica(0, true, 40), replica(1, true, 44));
        JsonNode status = status(self, Map.of(), "");
        assertThat(status.path("connector").isNull()).isTrue();
        assertThat(status.at("/partitions/0/lagRevisions").asLong()).isEqualTo(4);
        assertThat(status.at("/partitions/1/lagRevisions").asLong()).isZero();
        JsonNode otherHistory =
                status(self, Map.of(), LEADER.replace("\"epoch\":7", "\"epoch\":8"));
        assertThat(otherHistory.at("/partitions/0/lagRevisions").asLong()).isEqualTo(4);
    }

    @Test
    void acceptsUnknownFieldsOfNewerNodes() throws Exception {
        String json = new String(node("a", replica(0, true, 50)).toJson(), StandardCharsets.UTF_8);
        byte[] more = json.replaceFirst("\\{", "{\"later\":1,").getBytes(StandardCharsets.UTF_8);
        JsonNode status =
                status(
                        node("b", replica(1, true, 50)),
                        Map.of("a:8180", Optional.of(more)),
                        LEADER);
        assertThat(status.at("/nodes/0/reachable").asBoolean()).isTrue();
        assertThat(status.path("watermark").asLong()).isEqualTo(50);
    }
}
