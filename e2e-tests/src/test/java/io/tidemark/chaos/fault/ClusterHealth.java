package io.tidemark.chaos.fault;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.chaos.client.WatchClient;
import io.tidemark.chaos.load.AcknowledgedWrites;
import io.tidemark.chaos.process.Cluster;
import io.tidemark.chaos.process.Cluster.Member;
import io.tidemark.chaos.process.ManagedProcess;
import io.tidemark.chaos.process.Tree;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Whether the cluster is healthy: every running node is known and reachable; every partition has an
 * active replica and, with more nodes than one, a standby, all ready; a connector follows; the
 * watermark has reached what etcd had acknowledged, and watchers of everything have it; every
 * watcher is connected; every running connector could take over.
 */
public final class ClusterHealth {
    private final Cluster cluster;
    private final ClusterProbe probe;
    private final AcknowledgedWrites acknowledged;
    private final List<WatchClient> watchers;
    private final List<WatchClient> broad;

    /**
     * @param broad the watchers that watch everything
     */
    public ClusterHealth(
            Cluster cluster,
            ClusterProbe probe,
            AcknowledgedWrites acknowledged,
            List<WatchClient> watchers,
            List<WatchClient> broad) {
        this.cluster = cluster;
        this.probe = probe;
        this.acknowledged = acknowledged;
        this.watchers = watchers;
        this.broad = broad;
    }

    /** What etcd has acknowledged by now. */
    long newest() {
        return acknowledged.newest();
    }

    /**
     * What is missing; empty when nothing is.
     *
     * @param newest the revision that must have arrived
     */
    public Optional<String> missing(long newest) throws InterruptedException {
        Optional<JsonNode> document = probe.document();
        if (document.isEmpty()) {
            return Optional.of("no node answers");
        }
        Optional<String> missing = ofCluster(document.get(), newest).or(() -> ofWatchers(newest));
        if (missing.isPresent()) {
            return missing;
        }
        missing = ofConnectors();
        return missing.isPresent() ? missing : ofTree(newest);
    }

    private Optional<String> ofTree(long newest) throws InterruptedException {
        Optional<Tree> tree = cluster.tree();
        if (tree.isEmpty()) {
            return Optional.empty();
        }
        for (Member root : tree.get().rootNodes()) {
            if (!probe.isReady(root)) {
                return Optional.of(root + " is not ready");
            }
        }
        for (Member leaf : tree.get().leafNodes()) {
            long watermark = probe.watermark(leaf);
            if (watermark < newest) {
                return Optional.of("the watermark of %s is %d".formatted(leaf, watermark));
            }
        }
        return Optional.empty();
    }

    private Optional<String> ofConnectors() throws InterruptedException {
        for (Member connector : cluster.connectors()) {
            if (connector.process().isRunning() && !probe.isReady(connector)) {
                return Optional.of(connector + " is not ready");
            }
        }
        return Optional.empty();
    }

    private Optional<String> ofCluster(JsonNode document, long newest) {
        Set<Integer> running =
                cluster.nodes(ManagedProcess::isRunning).stream()
                        .map(Member::port)
                        .collect(Collectors.toSet());
        Set<Integer> known = new HashSet<>();
        TreeMap<Integer, Integer> active = new TreeMap<>();
        TreeMap<Integer, Integer> standby = new TreeMap<>();
        for (JsonNode node : document.path("nodes")) {
            int port = ClusterProbe.port(node);
            if (!node.path("reachable").asBoolean() || !running.contains(port)) {
                continue;
            }
            known.add(port);
            for (JsonNode copy : node.path("copies")) {
                if (copy.path("ready").asBoolean()) {
                    (copy.path("active").asBoolean() ? active : standby)
                            .merge(copy.path("partition").asInt(), 1, Integer::sum);
                }
            }
        }
        if (!known.equals(running)) {
            return Optional.of("%d of %d nodes are known".formatted(known.size(), running.size()));
        }
        for (JsonNode partition : document.path("partitions")) {
            int number = partition.path("partition").asInt();
            if (!active.containsKey(number)) {
                return Optional.of("partition " + number + " has no active replica");
            }
            if (running.size() > 1 && !standby.containsKey(number)) {
                return Optional.of("partition " + number + " has no standby");
            }
        }
        if (!"FOLLOWING".equals(document.path("connector").path("phase").asText())) {
            return Optional.of("no connector follows");
        }
        long watermark = document.path("watermark").asLong();
        return watermark < newest
                ? Optional.of("the watermark is %d of %d".formatted(watermark, newest))
                : Optional.empty();
    }

    private Optional<String> ofWatchers(long newest) {
        long away = watchers.stream().filter(watcher -> watcher.at() < 0).count();
        if (away > 0) {
            return Optional.of(away + " watchers are not connected");
        }
        return broad.stream()
                .filter(watcher -> watcher.cursor() < newest)
                .findFirst()
                .map(watcher ->
                        "%s is at %d of %d".formatted(watcher.name(), watcher.cursor(), newest));
    }
}
