package io.tidemark.peer.cluster;

import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Every partition of the mirror topic, wherever its copies are. */
public final class ClusterDirectory implements PartitionDirectory {
    private final PartitionDirectory local;
    private final int rotation;

    // Guarded by this.
    private final Map<Integer, ClusterPartitionView> views = new TreeMap<>();
    private List<? extends PeerReplicas> peers = List.of();

    /**
     * @param local this node's own copies
     * @param rotation any number; should differ between nodes, so that they ask different copies
     */
    public ClusterDirectory(PartitionDirectory local, int rotation) {
        this.local = local;
        this.rotation = rotation;
    }

    /** The other nodes that can be asked from now on. */
    public synchronized void setPeers(List<? extends PeerReplicas> next) {
        peers = List.copyOf(next);
        views.forEach((partition, view) -> view.setCopies(copiesOf(partition)));
    }

    @Override
    public int partitions() {
        return local.partitions();
    }

    @Override
    public synchronized PartitionView view(int partition) {
        return views.computeIfAbsent(
                partition,
                p -> {
                    ClusterPartitionView view = new ClusterPartitionView(p, p + rotation);
                    view.setCopies(copiesOf(p));
                    return view;
                });
    }

    private List<Replica> copiesOf(int partition) {
        List<Replica> copies = new ArrayList<>(peers.size() + 1);
        copies.add(new LocalReplica(local.view(partition)));
        peers.forEach(peer -> copies.add(peer.copy(partition)));
        return copies;
    }
}
