package io.tidemark.simulation.probe;

import io.tidemark.simulation.node.SimulatedNode;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionView;
import java.util.ArrayList;
import java.util.List;

/**
 * One replica of each partition, checked as if it were a node: what a node reads through its peers,
 * or the replicas on different nodes.
 */
public record ReplicaSelection(String name, List<PartitionView> views)
        implements PartitionDirectory {
    public ReplicaSelection {
        views = List.copyOf(views);
    }

    /** Every hosted replica. */
    public static List<ReplicaSelection> hosted(List<SimulatedNode> nodes, int partitions) {
        List<ReplicaSelection> sets = new ArrayList<>();
        int most = 0;
        List<List<PartitionView>> hosted = new ArrayList<>();
        for (int p = 0; p < partitions; p++) {
            List<PartitionView> copies = new ArrayList<>();
            for (SimulatedNode node : nodes) {
                if (node.isResponsive() && node.replica(p).isOpen()) {
                    copies.add(node.local().view(p));
                }
            }
            hosted.add(copies);
            most = copies.isEmpty() ? most : Math.max(most, copies.size());
        }
        for (int i = 0; i < most && hosted.stream().noneMatch(List::isEmpty); i++) {
            List<PartitionView> views = new ArrayList<>();
            for (List<PartitionView> copies : hosted) {
                views.add(copies.get(i % copies.size()));
            }
            sets.add(new ReplicaSelection("replicas " + i, views));
        }
        return sets;
    }

    /** What each node serves of all partitions. */
    public static List<ReplicaSelection> shown(List<SimulatedNode> nodes, int partitions) {
        List<ReplicaSelection> sets = new ArrayList<>();
        for (SimulatedNode node : nodes) {
            if (node.isResponsive()) {
                List<PartitionView> views = new ArrayList<>();
                for (int p = 0; p < partitions; p++) {
                    views.add(node.api().directory().view(p));
                }
                sets.add(new ReplicaSelection("node " + node.number(), views));
            }
        }
        return sets;
    }

    @Override
    public int partitions() {
        return views.size();
    }

    @Override
    public PartitionView view(int partition) {
        return views.get(partition);
    }
}
