package io.tidemark.standalone;

import io.tidemark.peer.PeerNetwork;
import io.tidemark.peer.PeerSettings;
import io.tidemark.query.cluster.ClusterNodes;
import io.tidemark.query.cluster.NodeStatus;
import io.tidemark.query.cluster.NodeStatus.Copy;
import io.tidemark.selfcheck.CheckReport;
import io.tidemark.selfcheck.SelfCheck;
import io.tidemark.standalone.options.HostPort;
import io.tidemark.streams.NodeProgress;
import io.tidemark.streams.StreamsNode;
import io.tidemark.view.PartitionState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What this node knows of itself and of the others. */
final class NodeReport implements ClusterNodes {
    private static final Pattern ALL_ADDRESSES =
            Pattern.compile("http://(?:0\\.0\\.0\\.0|::|\\[::]):(\\d{1,5})");

    private final StreamsNode streams;
    private final Optional<PeerSettings> peers;
    private volatile @Nullable PeerNetwork network;
    private volatile @Nullable SelfCheck check;

    NodeReport(StreamsNode streams, Optional<PeerSettings> peers) {
        this.streams = streams;
        this.peers = peers;
    }

    /** There are others. */
    void readsFrom(PeerNetwork others) {
        network = others;
    }

    /** Its copies are compared with etcd. */
    void checkedBy(SelfCheck selfCheck) {
        check = selfCheck;
    }

    @Override
    public CheckReport selfCheck() {
        SelfCheck running = check;
        return running == null ? CheckReport.OFF : running.report();
    }

    @Override
    public long damagedPlaces() {
        return streams.damagedPlaces();
    }

    @Override
    public NodeStatus self(String url, int watches) {
        NodeProgress progress = streams.progress();
        Set<Integer> active = streams.activePartitions();
        CheckReport proofs = selfCheck();
        List<Copy> copies =
                progress.partitions().stream()
                        .map(each -> copy(each, active.contains(each.partition()), proofs))
                        .toList();
        return new NodeStatus(
                peers.map(settings -> settings.advertise().toString()).orElse(url),
                peers.map(settings -> reachable(url, settings.advertise().host())).orElse(url),
                progress.phase().name(),
                progress.detail(),
                watches,
                streams.standbys(),
                copies);
    }

    /** Nobody can call an address that stands for all addresses of a machine. */
    private static String reachable(String url, String host) {
        Matcher all = ALL_ADDRESSES.matcher(url);
        return all.matches() ? "http://" + new HostPort(host, Integer.parseInt(all.group(1))) : url;
    }

    private Copy copy(NodeProgress.Partition each, boolean active, CheckReport proofs) {
        PartitionState state = streams.directory().view(each.partition()).state();
        return new Copy(
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
}
