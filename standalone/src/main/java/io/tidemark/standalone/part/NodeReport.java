package io.tidemark.standalone.part;

import io.tidemark.address.HostPort;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.NodeRequest;
import io.tidemark.peer.PeerNetwork;
import io.tidemark.peer.PeerSettings;
import io.tidemark.peer.link.PeerConnection;
import io.tidemark.query.cluster.ClusterNodes;
import io.tidemark.query.cluster.NodeConnection;
import io.tidemark.query.cluster.NodeStatus;
import io.tidemark.query.cluster.NodeStatus.ReplicaStatus;
import io.tidemark.selfcheck.CheckReport;
import io.tidemark.selfcheck.SelfCheckThread;
import io.tidemark.streams.NodeProgress;
import io.tidemark.streams.StreamsNode;
import io.tidemark.view.DiskState;
import io.tidemark.view.PartitionState;
import io.tidemark.view.StoreUsage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Status of this node and of the other nodes, for {@code /cluster} and the metrics. */
public final class NodeReport implements ClusterNodes {
    private static final Pattern ALL_ADDRESSES =
            Pattern.compile("(https?://)(?:0\\.0\\.0\\.0|::|\\[::]):(\\d{1,5})");

    private static final Logger LOG = LoggerFactory.getLogger(NodeReport.class);
    private static final NodeRequest STATUS = NodeRequest.get("/status");
    private static final Duration ANSWER = Duration.ofSeconds(1);
    private static final int MAX_CONNECTOR_STATUS = 64 << 10;

    private final StreamsNode streams;
    private final Optional<PeerSettings> peers;
    private final NodeClient connectors;
    private volatile @Nullable PeerNetwork network;
    private volatile @Nullable SelfCheckThread check;

    NodeReport(StreamsNode streams, Optional<PeerSettings> peers, NodeClient connectors) {
        this.streams = streams;
        this.peers = peers;
        this.connectors = connectors;
    }

    /** Called once, with a peer listener. */
    void setPeers(PeerNetwork others) {
        network = others;
    }

    /** Called once, when the self-check runs. */
    void setSelfCheck(SelfCheckThread selfCheck) {
        check = selfCheck;
    }

    @Override
    public CheckReport selfCheck() {
        SelfCheckThread running = check;
        return running == null ? CheckReport.OFF : running.report();
    }

    @Override
    public DiskState disk() {
        return streams.disk();
    }

    @Override
    public StoreUsage storeUsage() {
        return streams.storeUsage();
    }

    @Override
    public long corruptRanges() {
        return streams.corruptRanges();
    }

    @Override
    public NodeStatus self(String url, int watches) {
        NodeProgress progress = streams.progress();
        Set<Integer> active = streams.activePartitions();
        CheckReport proofs = selfCheck();
        List<ReplicaStatus> replicas =
                progress.partitions().stream()
                        .map(each -> replica(each, active.contains(each.partition()), proofs))
                        .toList();
        return new NodeStatus(
                peers.map(settings -> settings.advertise().hostPort()).orElse(url),
                peers.map(settings -> reachable(url, settings.advertise().host())).orElse(url),
                progress.phase().name(),
                progress.detail(),
                watches,
                streams.standbys(),
                replicas);
    }

    /** Replaces a wildcard address, which clients cannot connect to, by the advertised host. */
    private static String reachable(String url, String host) {
        Matcher all = ALL_ADDRESSES.matcher(url);
        return all.matches()
                ? all.group(1) + new HostPort(host, Integer.parseInt(all.group(2)))
                : url;
    }

    private ReplicaStatus replica(NodeProgress.Partition each, boolean active, CheckReport proofs) {
        PartitionState state = streams.directory().view(each.partition()).state();
        return new ReplicaStatus(
                each.partition(),
                active,
                state.ready(),
                state.epoch(),
                state.floor(),
                state.watermark(),
                state.markTimeMillis(),
                each.restored(),
                each.total(),
                streams.storedBytes(each.partition()),
                proofs.partitions().stream()
                        .filter(proof -> proof.partition() == each.partition())
                        .mapToLong(CheckReport.Partition::provenAtMillis)
                        .findFirst()
                        .orElse(0));
    }

    @Override
    public Map<String, Optional<byte[]>> others() throws InterruptedException {
        PeerNetwork others = network;
        return others == null ? Map.of() : others.nodes();
    }

    @Override
    public Map<String, NodeConnection> connections() {
        PeerNetwork others = network;
        return others == null
                ? Map.of()
                : others.connections().entrySet().stream()
                        .collect(
                                Collectors.toMap(
                                        Map.Entry::getKey, each -> connection(each.getValue())));
    }

    private static NodeConnection connection(PeerConnection peer) {
        return new NodeConnection(peer.version(), peer.trouble(), peer.incompatible());
    }

    @Override
    public Optional<byte[]> connector(String address) throws InterruptedException {
        try {
            NodeClient.Answer answer =
                    connectors.askConnector(address, STATUS, ANSWER, MAX_CONNECTOR_STATUS);
            return answer.status() == 200 ? Optional.of(answer.body()) : Optional.empty();
        } catch (IOException e) {
            LOG.debug("no status: {}", e.getMessage());
            return Optional.empty();
        }
    }
}
