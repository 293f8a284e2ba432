package io.tidemark.streams.group;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Assigns replicas to nodes, by what the nodes hold already. Pure; computed at each rebalance.
 *
 * <p>A partition makes no progress while its active changes, and for long when the new active has
 * to read the topic first. The rules follow from that:
 *
 * <ul>
 *   <li>An active stays where it is while its node lives, even when nodes join.
 *   <li>An active whose node has left, or that has yet to read what another replica has read, is
 *       replaced by the replica with the smallest lag.
 *   <li>A partition moves for balance only to a node whose standby of it is open and has a small
 *       lag. Old files of a partition are no standby.
 *   <li>A standby that is to move stays until the new one has caught up.
 *   <li>While actives are missing, no new replica is opened: a node that opens some takes over
 *       later.
 * </ul>
 *
 * <p>What cannot be reached at once is left to a later placement: this one is {@link
 * #needsFollowUp} then.
 *
 * @param <N> a node's id
 */
final class Placement<N extends Comparable<N>> {
    private final SortedMap<N, NodeHoldings> nodes;
    private final SortedSet<Integer> partitions;
    private final int standbysWanted;
    private final long smallLag;
    private final SortedMap<Integer, N> activeNodes = new TreeMap<>();
    private final SortedMap<N, SortedSet<Integer>> standbys = new TreeMap<>();
    private final boolean urgent;
    private boolean needsFollowUp;
    private long longestLag;

    /**
     * @param nodes at least one
     * @param standbysWanted of each partition, as far as there are nodes
     * @param smallLag in records: a replica that lags by no more can take over
     */
    Placement(
            SortedMap<N, NodeHoldings> nodes,
            SortedSet<Integer> partitions,
            int standbysWanted,
            long smallLag) {
        this.nodes = nodes;
        this.partitions = partitions;
        this.standbysWanted = Math.min(standbysWanted, nodes.size() - 1);
        this.smallLag = smallLag;
        nodes.keySet().forEach(node -> standbys.put(node, new TreeSet<>()));
        keepActive();
        boolean someLive = !activeNodes.isEmpty();
        urgent = assignMissingActive() && someLive;
        if (!urgent) {
            balanceActive();
        }
        needsFollowUp = urgent || nodes.keySet().stream().anyMatch(this::isUnderloaded);
        placeStandbys();
        if (!urgent) {
            nodes.keySet().stream().filter(this::isUnderloaded).forEach(this::placeFutureActive);
        }
    }

    SortedSet<Integer> active(N node) {
        SortedSet<Integer> active = new TreeSet<>();
        activeNodes.forEach((partition, owner) -> {
            if (owner.equals(node)) {
                active.add(partition);
            }
        });
        return active;
    }

    SortedSet<Integer> standbys(N node) {
        return standbys.getOrDefault(node, new TreeSet<>());
    }

    /** Whether to compute a placement again when replicas have caught up. */
    boolean needsFollowUp() {
        return needsFollowUp;
    }

    /** In records: the largest known lag among the replicas that the placement waits for. */
    long longestLag() {
        return longestLag;
    }

    private void keepActive() {
        for (int partition : partitions) {
            nodes.forEach((node, holder) -> {
                if (holder.active().contains(partition)
                        && (hasSmallLag(node, partition) || isFarBehindEverywhere(partition))) {
                    activeNodes.putIfAbsent(partition, node);
                }
            });
        }
    }

    /** Nodes with a small lag take turns; when all lag far, the one with the smallest lag. */
    private boolean assignMissingActive() {
        boolean replaced = false;
        for (int partition : partitions) {
            if (!activeNodes.containsKey(partition)) {
                replaced = true;
                Comparator<N> byLag =
                        Comparator.comparingLong(
                                node -> hasSmallLag(node, partition) ? 0 : lag(node, partition));
                activeNodes.put(
                        partition,
                        nodes.keySet().stream()
                                .min(byLag.thenComparing(this::activeLoad).thenComparing(n -> n))
                                .orElseThrow());
            }
        }
        return replaced;
    }

    private void balanceActive() {
        boolean moved = true;
        while (moved) {
            moved = false;
            for (N to : byLoad()) {
                Optional<Integer> partition = movableTo(to);
                if (partition.isPresent()) {
                    activeNodes.put(partition.get(), to);
                    moved = true;
                    break;
                }
            }
        }
    }

    private List<N> byLoad() {
        List<N> byLoad = new ArrayList<>(nodes.keySet());
        byLoad.sort(Comparator.comparing(this::activeLoad).thenComparing(n -> n));
        return byLoad;
    }

    /** A ready partition on a node that, by weight, still has no fewer after the move. */
    private Optional<Integer> movableTo(N to) {
        return partitions.stream()
                .filter(partition -> improvesBalance(activeNode(partition), to))
                .filter(partition -> isReady(to, partition))
                .max(
                        Comparator.comparing(
                                        (Integer partition) -> activeLoad(activeNode(partition)))
                                .thenComparing(Comparator.reverseOrder()));
    }

    private boolean isUnderloaded(N to) {
        return nodes.keySet().stream().anyMatch(from -> improvesBalance(from, to));
    }

    private boolean improvesBalance(N from, N to) {
        return !from.equals(to)
                && (activeCount(from) - 1) * weight(to) >= (activeCount(to) + 1) * weight(from);
    }

    /**
     * First nodes with a small lag and no more than their share, then the least loaded. Partitions
     * of overloaded nodes come first: only a standby can take over.
     */
    private void placeStandbys() {
        int standbyReplicas = partitions.size() * standbysWanted;
        List<Integer> order = new ArrayList<>(partitions);
        order.sort(
                Comparator.comparing((Integer partition) -> activeLoad(activeNode(partition)))
                        .reversed()
                        .thenComparing(Comparator.naturalOrder()));
        for (int round = 0; round < standbysWanted; round++) {
            for (int partition : order) {
                placeStandby(partition, standbyReplicas);
            }
        }
        order.forEach(this::keepUntilReplaced);
    }

    private void placeStandby(int partition, int standbyReplicas) {
        List<N> free =
                nodes.keySet().stream()
                        .filter(node -> !node.equals(activeNode(partition)))
                        .filter(node -> !standbys(node).contains(partition))
                        .toList();
        Comparator<N> least =
                Comparator.<N>comparingDouble(node -> replicaLoad(node)).thenComparing(n -> n);
        Optional<N> close =
                free.stream()
                        .filter(node -> hasSmallLag(node, partition))
                        .filter(node -> replicaCount(node) < share(node, standbyReplicas))
                        .min(least);
        Optional<N> chosen =
                close.or(() -> free.stream().filter(node -> mayOpen(node, partition)).min(least));
        chosen.ifPresent(node -> standbys(node).add(partition));
    }

    /** Whether a replica that lags far may be placed here; always where it is open already. */
    private boolean mayOpen(N node, int partition) {
        return !urgent || holder(node).standby().contains(partition);
    }

    /** An open standby with a small lag stays beside new ones that have not caught up. */
    private void keepUntilReplaced(int partition) {
        List<N> chosen =
                nodes.keySet().stream().filter(node -> standbys(node).contains(partition)).toList();
        for (N node : chosen) {
            if (!hasSmallLag(node, partition)) {
                needsFollowUp = true;
                longestLag = Math.max(longestLag, knownLag(node, partition));
            }
        }
        if (!chosen.isEmpty() && chosen.stream().noneMatch(node -> isReady(node, partition))) {
            Optional<N> kept =
                    nodes.keySet().stream()
                            .filter(node -> !node.equals(activeNode(partition)))
                            .filter(node -> isReady(node, partition))
                            .min(Comparator.naturalOrder());
            needsFollowUp |= kept.isPresent();
            kept.ifPresent(node -> standbys(node).add(partition));
        }
    }

    /** An underloaded node becomes a standby of an overloaded node's partition, to take it over. */
    private void placeFutureActive(N to) {
        List<Integer> movable =
                partitions.stream()
                        .filter(partition -> improvesBalance(activeNode(partition), to))
                        .toList();
        if (movable.stream().noneMatch(standbys(to)::contains)) {
            standbys(to).add(movable.getFirst());
        }
    }

    private N activeNode(int partition) {
        N activeNode = activeNodes.get(partition);
        if (activeNode == null) {
            throw new IllegalStateException("partition " + partition + " has no active yet");
        }
        return activeNode;
    }

    private NodeHoldings holder(N node) {
        NodeHoldings holder = nodes.get(node);
        if (holder == null) {
            throw new IllegalArgumentException("no such node: " + node);
        }
        return holder;
    }

    private boolean hasSmallLag(N node, int partition) {
        return lag(node, partition) <= smallLag;
    }

    /** Whether its store is open, as far as known, and its lag is small. */
    private boolean isReady(N node, int partition) {
        NodeHoldings holder = holder(node);
        boolean open = holder.active().contains(partition) || holder.standby().contains(partition);
        return open && hasSmallLag(node, partition);
    }

    private boolean isFarBehindEverywhere(int partition) {
        return nodes.keySet().stream().noneMatch(node -> hasSmallLag(node, partition));
    }

    private long lag(N node, int partition) {
        NodeHoldings holder = holder(node);
        long defaultLag = holder.active().contains(partition) ? 0 : Long.MAX_VALUE;
        return holder.lags().getOrDefault(partition, defaultLag);
    }

    private long knownLag(N node, int partition) {
        long lag = lag(node, partition);
        return lag == Long.MAX_VALUE ? 0 : lag;
    }

    private int weight(N node) {
        return holder(node).weight();
    }

    private long activeCount(N node) {
        return activeNodes.values().stream().filter(node::equals).count();
    }

    private double activeLoad(N node) {
        return activeCount(node) / (double) weight(node);
    }

    private long replicaCount(N node) {
        return activeCount(node) + standbys(node).size();
    }

    private double replicaLoad(N node) {
        return replicaCount(node) / (double) weight(node);
    }

    /** Of all replicas, active and standby, rounded up. */
    private long share(N node, int standbyReplicas) {
        long all = (long) partitions.size() + standbyReplicas;
        long weights = nodes.values().stream().mapToLong(NodeHoldings::weight).sum();
        return (all * weight(node) + weights - 1) / weights;
    }
}
