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
 * How the whole stands, as one document. Pure.
 *
 * <pre>
 * epoch        the newest history that a copy holds
 * watermark    through this revision all partitions can be read somewhere
 * floor        from this revision on all partitions can be watched from
 * whole        whether all nodes answer, and every partition has an owner and as many copies that
 *              answer reads as it shall have, or one on each node: then any node may be lost
 * connector    what the leading one says of itself; null when it does not answer
 * partitions   each with its active node and its standbys; of its best copy the watermark, how far
 *              that lies behind the newest revision known, in revisions and in milliseconds, and
 *              the bytes on disk
 * nodes        each as it says itself; one that does not answer has "reachable": false
 * </pre>
 */
public final class ClusterStatus {
    private final List<NodeStatus> nodes = new ArrayList<>();
    private final TreeSet<String> unreachable = new TreeSet<>();
    private final Optional<JsonNode> connector;
    private final int partitions;
    private final long nowMillis;

    private record PlacedReplica(NodeStatus node, ReplicaStatus copy) {}

    /**
     * @param others by address; empty, or no JSON, for one that does not answer
     * @param connector what the leading connector says of itself
     * @param partitions how many there are
     */
    public ClusterStatus(
            NodeStatus self,
            Map<String, Optional<byte[]>> others,
            Optional<JsonNode> connector,
            int partitions,
            long nowMillis) {
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
                // A node that cannot say how it is, is one that does not answer.
            }
        }
        unreachable.add(address);
    }

    /** The document, with a line feed at its end. */
    public byte[] toJson() throws IOException {
        TreeMap<Integer, List<PlacedReplica>> copies = new TreeMap<>();
        for (int p = 0; p < partitions; p++) {
            copies.put(p, new ArrayList<>());
        }
        for (NodeStatus node : nodes) {
            for (ReplicaStatus copy : node.copies()) {
                copies.computeIfAbsent(copy.partition(), _ -> new ArrayList<>())
                        .add(new PlacedReplica(node, copy));
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
        for (Map.Entry<Integer, List<PlacedReplica>> each : copies.entrySet()) {
            Optional<ReplicaStatus> best = best(each.getValue(), epoch);
            watermark = Math.min(watermark, best.map(ReplicaStatus::watermark).orElse(0L));
            floor = Math.max(floor, best.map(ReplicaStatus::floor).orElse(0L));
            shown.add(partition(each.getKey(), each.getValue(), best, newest));
        }
        document.put("epoch", epoch);
        document.put("watermark", copies.isEmpty() ? 0 : watermark);
        document.put("floor", floor);
        document.put("whole", isWhole(copies, epoch));
        document.set("connector", connector.orElse(NodeStatus.JSON.nullNode()));
        document.set("partitions", shown);
        document.set("nodes", nodes());
        return (document + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private boolean isWhole(SortedMap<Integer, List<PlacedReplica>> copies, long epoch) {
        int standbys = nodes.stream().mapToInt(NodeStatus::standbys).max().orElse(0);
        int wanted = Math.min(1 + standbys, nodes.size());
        return partitions > 0
                && unreachable.isEmpty()
                && copies.values().stream()
                        .allMatch(held ->
                                held.stream().anyMatch(each -> each.copy().active())
                                        && answering(held, epoch).count() >= wanted);
    }

    private long newestRevision(long epoch) {
        long known =
                nodes.stream()
                        .flatMap(node -> node.copies().stream())
                        .filter(copy -> copy.epoch() == epoch)
                        .mapToLong(ReplicaStatus::watermark)
                        .max()
                        .orElse(0);
        return connector
                .filter(it -> it.path("epoch").asLong() == epoch)
                .map(it -> Math.max(known, it.path("revision").asLong()))
                .orElse(known);
    }

    private static Optional<ReplicaStatus> best(List<PlacedReplica> held, long epoch) {
        return answering(held, epoch).max(Comparator.comparingLong(ReplicaStatus::watermark));
    }

    private static Stream<ReplicaStatus> answering(List<PlacedReplica> held, long epoch) {
        return held.stream()
                .map(PlacedReplica::copy)
                .filter(copy -> copy.ready() && copy.epoch() == epoch);
    }

    private ObjectNode partition(
            int number, List<PlacedReplica> held, Optional<ReplicaStatus> best, long newest) {
        ObjectNode partition = NodeStatus.JSON.createObjectNode();
        partition.put("partition", number);
        partition.put(
                "active",
                held.stream()
                        .filter(each -> each.copy().active())
                        .map(each -> each.node().node())
                        .findFirst()
                        .orElse(""));
        ArrayNode standbys = partition.putArray("standbys");
        held.stream()
                .filter(each -> !each.copy().active())
                .forEach(each -> standbys.add(each.node().node()));
        partition.put("readable", best.isPresent());
        best.ifPresent(copy -> {
            partition.put("epoch", copy.epoch());
            partition.put("floor", copy.floor());
            partition.put("watermark", copy.watermark());
            partition.put("lagRevisions", Math.max(0, newest - copy.watermark()));
            partition.put("lagMillis", Math.max(0, nowMillis - copy.markTimeMillis()));
            partition.put("bytes", copy.bytes());
        });
        return partition;
    }

    private ArrayNode nodes() {
        ArrayNode shown = NodeStatus.JSON.createArrayNode();
        for (NodeStatus node : nodes) {
            ObjectNode each = NodeStatus.JSON.valueToTree(node);
            each.put("reachable", true);
            each.put("bytes", node.copies().stream().mapToLong(ReplicaStatus::bytes).sum());
            shown.add(each);
        }
        for (String address : unreachable) {
            shown.addObject().put("node", address).put("reachable", false);
        }
        return shown;
    }
}
