package io.tidemark.standalone;

import io.tidemark.peer.PeerNetwork;
import io.tidemark.peer.PeerSettings;
import io.tidemark.query.cluster.ClusterNodes;
import io.tidemark.query.cluster.NodeStatus;
import io.tidemark.query.cluster.NodeStatus.Copy;
import io.tidemark.streams.NodeProgress;
import io.tidemark.streams.StreamsNode;
import io.tidemark.view.PartitionState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What this node knows of itself and of the others. */
final class NodeReport implements ClusterNodes {
    private final StreamsNode streams;
    private final Optional<PeerSettings> peers;
    private volatile @Nullable PeerNetwork network;

    NodeReport(StreamsNode streams, Optional<PeerSettings> peers) {
        this.streams = streams;
        this.peers = peers;
    }

    /** There are others. */
    void readsFrom(PeerNetwork others) {
        network = others;
    }

    @Override
    public NodeStatus self(String url, int watches) {
        NodeProgress progress = streams.progress();
        Set<Integer> active = streams.activePartitions();
        List<Copy> copies =
                progress.partitions().stream()
                        .map(each -> copy(each, active.contains(each.partition())))
                        .toList();
        return new NodeStatus(
                peers.map(settings -> settings.advertise().toString()).orElse(url),
                url,
                progress.phase().name(),
                progress.detail(),
                watches,
                copies);
    }

    private Copy copy(NodeProgress.Partition each, boolean active) {
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
                streams.storedBytes(each.partition()));
    }

    @Override
    public Map<String, Optional<byte[]>> others() throws InterruptedException {
        PeerNetwork others = network;
        return others == null ? Map.of() : others.nodes();
    }
}
