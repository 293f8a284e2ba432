package io.tidemark.peer.cluster;

import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** All partitions of the mirror topic, with their replicas on any node. */
public final class ClusterDirectory implements PartitionDirectory {
    private final PartitionDirectory local;
    private final int rotation;
    private final LongSupplier nanoTime;

    // Guarded by this.
    private final Map<Integer, ClusterPartitionView> views = new TreeMap<>();
    private List<? extends PeerReplicas> peers = List.of();

    /**
     * @param local this node's own replicas
     * @param rotation any number; should differ between nodes, to spread reads over the replicas
     */
    public ClusterDirectory(PartitionDirectory local, int rotation) {
        this(local, rotation, System::nanoTime);
    }

    /**
     * The same with another clock.
     *
     * @param nanoTime as {@link System#nanoTime}
     */
    public ClusterDirectory(PartitionDirectory local, int rotation, LongSupplier nanoTime) {
        this.local = local;
        this.rotation = rotation;
        this.nanoTime = nanoTime;
    }

    /** Replaces the other nodes that can be read. */
    public synchronized void setPeers(List<? extends PeerReplicas> next) {
        peers = List.copyOf(next);
        views.forEach((partition, view) -> view.setCopies(replicasOf(partition)));
    }

    @Override
    public int partitions() {
        return local.partitions();
    }

    @Override
    public synchronized PartitionView view(int partition) {
        ClusterPartitionView known = views.get(partition);
        if (known != null) {
            return known;
        }
        ClusterPartitionView view =
                new ClusterPartitionView(partition, partition + rotation, nanoTime);
        views.put(partition, view);
        view.setCopies(replicasOf(partition));
        return view;
    }

    private List<Replica> replicasOf(int partition) {
        List<Replica> replicas = new ArrayList<>(peers.size() + 1);
        replicas.add(new LocalReplica(local.view(partition)));
        peers.forEach(peer -> replicas.add(peer.copy(partition)));
        return replicas;
    }
}
