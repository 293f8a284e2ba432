package io.tidemark.simulation.node;

import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The consumer group of the nodes: which node has which partition as active or standby, and the
 * offsets that the active replicas have committed. It detects the loss of a member only when its
 * session is over.
 */
public final class SimulatedConsumerGroup {
    private static final int NONE = -1;

    private final Scheduler scheduler;
    private final int standbys;
    private final int[] active;
    private final long[] committed;
    private final List<TreeSet<Integer>> standbyNodes = new ArrayList<>();
    private final TreeSet<Integer> members = new TreeSet<>();
    private List<SimulatedNode> nodes = List.of();

    public SimulatedConsumerGroup(Scheduler scheduler, Settings settings) {
        this.scheduler = scheduler;
        this.standbys = settings.standbys();
        this.active = new int[settings.partitions()];
        Arrays.fill(active, NONE);
        this.committed = new long[settings.partitions()];
        for (int p = 0; p < settings.partitions(); p++) {
            standbyNodes.add(new TreeSet<>());
        }
    }

    public void begin(List<SimulatedNode> all) {
        nodes = all;
    }

    /** Offset through which standbys of a partition may read, exclusive. */
    public long committed(int partition) {
        return committed[partition];
    }

    public void commit(int partition, long position) {
        if (position > committed[partition]) {
            committed[partition] = position;
            for (int node : standbyNodes.get(partition)) {
                nodes.get(node).replica(partition).wake();
            }
        }
    }

    /** It joins; if the group has not detected its absence, as if it had never been away. */
    public void joined(int node) {
        members.add(node);
        scheduleRebalance();
    }

    /** It has left, or its session is over. */
    public void lost(int node) {
        if (members.remove(node)) {
            scheduleRebalance();
        }
    }

    /** Another member becomes the active one. */
    public void move(int partition, int to) {
        if (active[partition] != to && members.contains(to)) {
            scheduler.count(CoverageEvent.PARTITIONS_MOVED);
            standbyNodes.get(partition).remove(to);
            active[partition] = to;
            scheduleRebalance();
        }
    }

    private void scheduleRebalance() {
        var unused = scheduler.after(scheduler.between(5, 150), "rebalance", this::rebalance);
    }

    /** Members keep their replicas; missing ones go to the members that are present. */
    private void rebalance() {
        for (int p = 0; p < active.length; p++) {
            TreeSet<Integer> behind = standbyNodes.get(p);
            behind.retainAll(members);
            if (!members.contains(active[p])) {
                active[p] = successor(p);
            }
            behind.remove(active[p]);
            for (int i = 0; i < nodes.size() && behind.size() < standbys; i++) {
                int candidate = (p + 1 + i) % nodes.size();
                if (members.contains(candidate) && candidate != active[p]) {
                    behind.add(candidate);
                }
            }
        }
        nodes.forEach(this::assign);
    }

    /** The standby with the smallest lag, or else any member. */
    private int successor(int partition) {
        int best = NONE;
        for (int candidate : standbyNodes.get(partition)) {
            if (best == NONE || position(candidate, partition) > position(best, partition)) {
                best = candidate;
            }
        }
        if (best == NONE && !members.isEmpty()) {
            best = List.copyOf(members).get(partition % members.size());
        }
        return best;
    }

    private long position(int node, int partition) {
        return nodes.get(node).replica(partition).position();
    }

    /** Sends a node its assignment, if it can be reached. */
    public void assign(SimulatedNode node) {
        if (!members.contains(node.number()) || !node.isResponsive()) {
            return;
        }
        for (int p = 0; p < active.length; p++) {
            boolean isActive = active[p] == node.number();
            if (isActive || standbyNodes.get(p).contains(node.number())) {
                node.replica(p).host(isActive);
            } else {
                node.replica(p).unhost();
            }
        }
    }
}
