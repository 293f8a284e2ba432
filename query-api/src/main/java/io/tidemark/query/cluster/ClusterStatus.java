package io.tidemark.query.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.cluster.NodeStatus.ReplicaStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The status of the whole cluster as one document. Pure.
 *
 * <pre>
 * epoch        the newest history that a replica holds
 * watermark    every partition has a replica that is readable at this revision
 * floor        the oldest revision that all partitions can be watched from
 * whole        whether all nodes answer, and every partition has an active replica and as many
 *              ready replicas as configured, or one on each node: then any one node may be lost
 * connector    the status of the leading connector; null when it does not answer
 * partitions   each with its active node and standbys; of its best replica the watermark, the lag
 *              behind the newest known revision in revisions and in milliseconds, and the bytes
 *              on disk
 * nodes        the status of each, with the peer version that the answering node reads it with;
 *              one that does not answer has "reachable": false and, when known, the reason
 * </pre>
 */
public final class ClusterStatus {
    private final List<NodeStatus> nodes = new ArrayList<>();
    private final TreeSet<String> unreachable = new TreeSet<>();
    private final Map<String, NodeConnection> connections;
    private final Optional<JsonNode> connector;
    private final int partitions;
    private final long nowMillis;

    private record PlacedReplica(NodeStatus node, ReplicaStatus replica) {}

    /**
     * @param others by address; empty, or invalid JSON, for a node that does not answer
     * @param connections of the answering node to the others, by address
     * @param connector status of the leading connector
     * @param partitions number of partitions
     */
    public ClusterStatus(
            NodeStatus self,
            Map<String, Optional<byte[]>> others,
            Map<String, NodeConnection> connections,
            Optional<JsonNode> connector,
            int partitions,
            long nowMillis) {
        this.connections = Map.copyOf(connections);
        this.connector = connector;
        this.partitions = partitions;
        this.nowMillis = nowMillis;
        nodes.add(self);
        others.forEach(this::addOther);
        nodes.sort(Comparator.comparing(NodeStatus::node));
    }

    private void addOther(String address, Optional<byte[]> json) {
        if (json.isPresent()) {
            try {
                nodes.add(NodeStatus.parse(json.get()));
                return;
            } catch (IOException _) {
                // Treated as a node that does not answer.
            }
        }
        unreachable.add(address);
    }

    /** The document, with a line feed at its end. */
    public byte[] toJson() throws IOException {
        TreeMap<Integer, List<PlacedReplica>> replicas = new TreeMap<>();
        for (int p = 0; p < partitions; p++) {
            replicas.put(p, new ArrayList<>());
        }
        for (NodeStatus node : nodes) {
            for (ReplicaStatus replica : node.copies()) {
                replicas.computeIfAbsent(replica.partition(), _ -> new ArrayList<>())
                        .add(new PlacedReplica(node, replica));
            }
        }
        long epoch =
                nodes.stream()
                        .flatMap(n -> n.copies().stream())
                        .mapToLong(ReplicaStatus::epoch)
                        .max()
                        .orElse(0);
        ObjectNode document = NodeStatus.JSON.createObjectNode();
        ArrayNode shown = NodeStatus.JSON.createArrayNode();
        long newest = newestRevision(epoch);
        long watermark = Long.MAX_VALUE;
        long floor = 0;
        for (Map.Entry<Integer, List<PlacedReplica>> each : replicas.entrySet()) {
            Optional<ReplicaStatus> best = best(each.getValue(), epoch);
            watermark = Math.min(watermark, best.map(ReplicaStatus::watermark).orElse(0L));
            floor = Math.max(floor, best.map(ReplicaStatus::floor).orElse(0L));
            shown.add(partition(each.getKey(), each.getValue(), best, newest));
        }
        document.put("epoch", epoch);
        document.put("watermark", replicas.isEmpty() ? 0 : watermark);
        document.put("floor", floor);
        document.put("whole", isWhole(replicas, epoch));
        document.set("connector", connector.orElse(NodeStatus.JSON.nullNode()));
        document.set("partitions", shown);
        document.set("nodes", nodes());
        return (document + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private boolean isWhole(SortedMap<Integer, List<PlacedReplica>> replicas, long epoch) {
        int standbys = nodes.stream().mapToInt(NodeStatus::standbys).max().orElse(0);
        int required = Math.min(1 + standbys, nodes.size());
        return partitions > 0
                && unreachable.isEmpty()
                && replicas.values().stream()
                        .allMatch(placed ->
                                placed.stream().anyMatch(each -> each.replica().active())
                                        && answering(placed, epoch).count() >= required);
    }

    private long newestRevision(long epoch) {
        long known =
                nodes.stream()
                        .flatMap(node -> node.copies().stream())
                        .filter(replica -> replica.epoch() == epoch)
                        .mapToLong(ReplicaStatus::watermark)
                        .max()
                        .orElse(0);
        return connector
                .filter(it -> it.path("epoch").asLong() == epoch)
                .map(it -> Math.max(known, it.path("revision").asLong()))
                .orElse(known);
    }

    private static Optional<ReplicaStatus> best(List<PlacedReplica> placed, long epoch) {
        return answering(placed, epoch).max(Comparator.comparingLong(ReplicaStatus::watermark));
    }

    private static Stream<ReplicaStatus> answering(List<PlacedReplica> placed, long epoch) {
        return placed.stream()
                .map(PlacedReplica::replica)
                .filter(replica -> replica.ready() && replica.epoch() == epoch);
    }

    private ObjectNode partition(
            int number, List<PlacedReplica> placed, Optional<ReplicaStatus> best, long newest) {
        ObjectNode partition = NodeStatus.JSON.createObjectNode();
        partition.put("partition", number);
        partition.put(
                "active",
                placed.stream()
                        .filter(each -> each.replica().active())
                        .map(each -> each.node().node())
                        .findFirst()
                        .orElse(""));
        ArrayNode standbys = partition.putArray("standbys");
        placed.stream()
                .filter(each -> !each.replica().active())
                .forEach(each -> standbys.add(each.node().node()));
        partition.put("readable", best.isPresent());
        best.ifPresent(replica -> {
            partition.put("epoch", replica.epoch());
            partition.put("floor", replica.floor());
            partition.put("watermark", replica.watermark());
            partition.put("lagRevisions", Math.max(0, newest - replica.watermark()));
            partition.put("lagMillis", Math.max(0, nowMillis - replica.markTimeMillis()));
            partition.put("bytes", replica.bytes());
        });
        return partition;
    }

    private ArrayNode nodes() {
        ArrayNode shown = NodeStatus.JSON.createArrayNode();
        for (NodeStatus node : nodes) {
            ObjectNode each = NodeStatus.JSON.valueToTree(node);
            each.put("reachable", true);
            NodeConnection connection = connections.get(node.node());
            if (connection != null && connection.peerVersion() > 0) {
                each.put("peerVersion", connection.peerVersion());
            }
            each.put("bytes", node.copies().stream().mapToLong(ReplicaStatus::bytes).sum());
            shown.add(each);
        }
        for (String address : unreachable) {
            ObjectNode each = shown.addObject().put("node", address).put("reachable", false);
            NodeConnection connection = connections.get(address);
            if (connection != null && !connection.trouble().isEmpty()) {
                each.put("reason", connection.trouble());
            }
        }
        return shown;
    }
}
