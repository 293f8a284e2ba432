package io.tidemark.streams;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which node gets which copies, by what the nodes hold. Pure, and made anew at each rebalance.
 *
 * <p>A partition stands still while its owner changes, and for long when the new one has to read
 * the topic first. So owners stay where they are as long as they live, whoever comes; an owner that
 * has gone, or has yet to read what another has read, is followed by the copy that lacks least; and
 * a partition moves for the sake of balance only to a node that has been following it, and closely:
 * files of a while ago are no standby yet. A standby that is to be elsewhere stays until the new
 * one has caught up. Where owners have gone, nothing else is begun: a node that opens new copies
 * takes over so much later. What cannot be reached at once is come back to: the placement is {@link
 * #needsFollowUp} then.
 *
 * @param <N> names a node
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
     * @param smallLag who lacks no more records than that can take over
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

    /** Whether it should be made again when copies have caught up. */
    boolean needsFollowUp() {
        return needsFollowUp;
    }

    /** How many records the copy lacks that lacks most of those that are waited for. */
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

    /** Those who lack little take turns; when all lack much, who lacks least is taken. */
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

    /** A partition of a node that has so many more that it would still have no fewer. */
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
     * First who is close already and has no more than its share, then whoever has least. Owners
     * that have too much are relieved first: a standby is what can take over.
     */
    private void placeStandbys() {
        int copies = partitions.size() * standbysWanted;
        List<Integer> order = new ArrayList<>(partitions);
        order.sort(
                Comparator.comparing((Integer partition) -> activeLoad(activeNode(partition)))
                        .reversed()
                        .thenComparing(Comparator.naturalOrder()));
        for (int round = 0; round < standbysWanted; round++) {
            for (int partition : order) {
                placeStandby(partition, copies);
            }
        }
        order.forEach(this::keepUntilReplaced);
    }

    private void placeStandby(int partition, int copies) {
        List<N> free =
                nodes.keySet().stream()
                        .filter(node -> !node.equals(activeNode(partition)))
                        .filter(node -> !standbys(node).contains(partition))
                        .toList();
        Comparator<N> least =
                Comparator.<N>comparingDouble(node -> copyLoad(node)).thenComparing(n -> n);
        Optional<N> close =
                free.stream()
                        .filter(node -> hasSmallLag(node, partition))
                        .filter(node -> copyCount(node) < share(node, copies))
                        .min(least);
        Optional<N> chosen =
                close.or(() -> free.stream().filter(node -> mayOpen(node, partition)).min(least));
        chosen.ifPresent(node -> standbys(node).add(partition));
    }

    /** Whether a copy may be placed here that has much to read: where it is being read, always. */
    private boolean mayOpen(N node, int partition) {
        return !urgent || holder(node).standby().contains(partition);
    }

    /** One that is open and close stays beside those that are not yet. */
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

    /** Who has too little follows something of somebody who has too much, to take it over. */
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
            throw new IllegalStateException("partition " + partition + " has no owner yet");
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

    /** Whether its store is open, as far as is known, and lacks little. */
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
        long unlessSaid = holder.active().contains(partition) ? 0 : Long.MAX_VALUE;
        return holder.lags().getOrDefault(partition, unlessSaid);
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

    private long copyCount(N node) {
        return activeCount(node) + standbys(node).size();
    }

    private double copyLoad(N node) {
        return copyCount(node) / (double) weight(node);
    }

    /** Of all copies, rounded up. */
    private long share(N node, int standbyCopies) {
        long all = (long) partitions.size() + standbyCopies;
        long weights = nodes.values().stream().mapToLong(NodeHoldings::weight).sum();
        return (all * weight(node) + weights - 1) / weights;
    }
}
