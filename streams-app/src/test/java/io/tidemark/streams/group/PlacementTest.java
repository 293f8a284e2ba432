package io.tidemark.streams.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementTest {
    private static final int PARTITIONS = 8;
    private static final long SMALL = 100;

    /** A group of nodes that carries out each placement. */
    private static final class Group {
        private final SortedMap<String, NodeHoldings> nodes = new TreeMap<>();
        private Placement<String> last = placement();

        private Placement<String> placement() {
            TreeSet<Integer> partitions = new TreeSet<>();
            for (int p = 0; p < PARTITIONS; p++) {
                partitions.add(p);
            }
            SortedMap<String, NodeHoldings> some = nodes.isEmpty() ? one() : nodes;
            return new Placement<>(some, partitions, 1, SMALL);
        }

        private static SortedMap<String, NodeHoldings> one() {
            return new TreeMap<>(Map.of("none", holder(Set.of(), Set.of(), Map.of())));
        }

        void join(String name, Map<Integer, Long> lags) {
            nodes.put(name, holder(Set.of(), Set.of(), lags));
        }

        /** Carries out a placement; new standbys lag by the given number of records. */
        Placement<String> rebalance(long lagOfNewStandbys) {
            last = placement();
            nodes.replaceAll((name, before) -> {
                Map<Integer, Long> lags = new HashMap<>(before.lags());
                for (int p : before.active()) {
                    lags.put(p, 0L);
                }
                for (int p : last.standbys(name)) {
                    lags.putIfAbsent(p, lagOfNewStandbys);
                }
                last.active(name).forEach(lags::remove);
                return holder(last.active(name), last.standbys(name), lags);
            });
            return last;
        }

        void catchUp() {
            nodes.replaceAll((_, before) -> {
                Map<Integer, Long> lags = new HashMap<>(before.lags());
                before.standby().forEach(p -> lags.put(p, 0L));
                return holder(before.active(), before.standby(), lags);
            });
        }

        /** Repeats catch-up and rebalance until no follow-up is needed. */
        void settle() {
            for (int i = 0; i < 20; i++) {
                catchUp();
                if (!rebalance(0).needsFollowUp()) {
                    return;
                }
            }
            throw new AssertionError("needs a follow-up after 20 rebalances");
        }

        Set<Integer> active(String name) {
            return last.active(name);
        }

        int replicas(String name) {
            return last.active(name).size() + last.standbys(name).size();
        }
    }

    private static NodeHoldings holder(
            Set<Integer> active, Set<Integer> standby, Map<Integer, Long> l) {
        return new NodeHoldings(2, active, standby, l);
    }

    private static Group settled(String... names) {
        Group group = new Group();
        for (String name : names) {
            group.join(name, Map.of());
            group.rebalance(0);
        }
        group.settle();
        return group;
    }

    /** Each partition has one active and, with several nodes, a standby on another node. */
    private static void assertEveryPartitionHasItsReplicas(Group group) {
        Set<Integer> active = new HashSet<>();
        Set<Integer> standby = new HashSet<>();
        for (String name : group.nodes.keySet()) {
            group.active(name).forEach(p -> assertThat(active.add(p)).isTrue());
            standby.addAll(group.last.standbys(name));
            assertThat(group.last.standbys(name)).noneMatch(group.active(name)::contains);
        }
        assertThat(active).hasSize(PARTITIONS);
        assertThat(standby).hasSize(group.nodes.size() > 1 ? PARTITIONS : 0);
    }

    private static void assertEveryPartitionHasAnActive(Group group) {
        Set<Integer> active = new HashSet<>();
        group.nodes.keySet().forEach(name -> active.addAll(group.active(name)));
        assertThat(active).hasSize(PARTITIONS);
    }

    @Test
    void sharesPartitionsEvenly() {
        Group group = settled("a", "b", "c");
        assertEveryPartitionHasItsReplicas(group);
        for (String name : group.nodes.keySet()) {
            assertThat(group.active(name)).hasSizeBetween(2, 3);
            assertThat(group.replicas(name)).isBetween(4, 7);
        }
    }

    @Test
    void singleNodeIsActiveForAllPartitions() {
        Group group = settled("a");
        assertThat(group.active("a")).hasSize(PARTITIONS);
        assertThat(group.last.standbys("a")).isEmpty();
    }

    @Test
    void nodesThatStartTogetherGetEqualShares() {
        Group group = new Group();
        group.join("a", Map.of());
        group.join("b", Map.of());
        group.rebalance(0);
        assertThat(group.active("a")).hasSize(4);
        assertThat(group.active("b")).hasSize(4);
        assertEveryPartitionHasItsReplicas(group);
    }

    @Test
    void newNodeIsActiveForNothingUntilCaughtUp() {
        Group group = settled("a", "b");
        Set<Integer> ofA = Set.copyOf(group.active("a"));
        group.join("c", Map.of());
        Placement<String> first = group.rebalance(5_000);
        assertThat(first.needsFollowUp()).isTrue();
        assertThat(group.active("a")).isEqualTo(ofA);
        assertThat(group.active("c")).isEmpty();
        assertThat(group.last.standbys("c")).isNotEmpty();
        Placement<String> second = group.rebalance(5_000);
        assertThat(second.longestLag()).isEqualTo(5_000);
        assertThat(group.active("c")).isEmpty();
        group.settle();
        assertThat(group.active("c")).hasSizeBetween(2, 3);
        assertEveryPartitionHasItsReplicas(group);
    }

    @Test
    void standbyStaysUntilItsReplacementHasCaughtUp() {
        Group group = settled("a", "b");
        group.join("c", Map.of());
        group.rebalance(5_000);
        for (int p = 0; p < PARTITIONS; p++) {
            int partition = p;
            assertThat(group.nodes.values())
                    .filteredOn(node -> node.standby().contains(partition))
                    .anyMatch(node -> node.lags().getOrDefault(partition, 5_000L) == 0);
        }
    }

    @Test
    void oldFilesAreNoStandby() {
        Group group = settled("a", "b");
        Map<Integer, Long> everything = new HashMap<>();
        for (int p = 0; p < PARTITIONS; p++) {
            everything.put(p, 10L);
        }
        group.join("c", everything);
        assertThat(group.rebalance(0).needsFollowUp()).isTrue();
        assertThat(group.active("c")).isEmpty();
        group.rebalance(0);
        assertThat(group.active("c")).isNotEmpty();
    }

    @Test
    void laggingActiveYieldsToACaughtUpReplica() {
        Group group = new Group();
        group.nodes.put("first", holder(Set.of(0, 1, 2), Set.of(), Map.of(0, 9_000L, 1, 9_000L)));
        group.join("second", Map.of(0, 5L, 2, 5L));
        group.rebalance(0);
        assertThat(group.active("second")).contains(0);
        assertThat(group.active("first")).contains(1, 2);
    }

    /** Opening replicas that have to read everything would delay the takeover. */
    @Test
    void opensNoReplicasWhileActivesAreMissing() {
        Group group = settled("a", "b", "c");
        // No files are left of replicas that moved away.
        group.nodes.replaceAll((_, held) -> {
            Map<Integer, Long> lags = new HashMap<>(held.lags());
            lags.keySet().retainAll(held.standby());
            return holder(held.active(), held.standby(), lags);
        });
        Map<String, Set<Integer>> before = new HashMap<>();
        group.nodes.forEach((name, held) -> {
            Set<Integer> replicas = new HashSet<>(held.active());
            replicas.addAll(held.standby());
            before.put(name, replicas);
        });
        group.nodes.remove("c");
        assertThat(group.rebalance(10_000).needsFollowUp()).isTrue();
        for (String name : Set.of("a", "b")) {
            Set<Integer> replicas = new HashSet<>(group.active(name));
            replicas.addAll(group.last.standbys(name));
            assertThat(replicas).isEqualTo(before.get(name));
        }
        group.settle();
        assertEveryPartitionHasItsReplicas(group);
    }

    @Test
    void replacesALostActiveByItsStandby() {
        Group group = settled("a", "b", "c");
        Set<Integer> ofB = Set.copyOf(group.active("b"));
        Map<String, Set<Integer>> before = new HashMap<>();
        for (String name : Set.of("a", "c")) {
            before.put(name, Set.copyOf(group.active(name)));
        }
        Map<String, Set<Integer>> standby = new HashMap<>();
        group.nodes.forEach((name, node) -> standby.put(name, node.standby()));
        group.nodes.remove("b");
        group.rebalance(5_000);
        before.forEach((name, active) -> assertThat(group.active(name)).containsAll(active));
        for (int partition : ofB) {
            String now = group.active("a").contains(partition) ? "a" : "c";
            assertThat(standby.get(now)).contains(partition);
        }
        group.rebalance(5_000);
        assertEveryPartitionHasItsReplicas(group);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void settlesUnderRandomJoinsAndLeaves(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Group group = settled("n0");
        for (int i = 1; i < 200; i++) {
            if (group.nodes.size() > 1 && random.nextBoolean()) {
                String[] names = group.nodes.keySet().toArray(new String[0]);
                group.nodes.remove(names[random.nextInt(names.length)]);
            } else {
                group.join("n" + i, Map.of());
            }
            group.rebalance(random.nextLong(10_000));
            assertEveryPartitionHasAnActive(group);
            if (group.last.needsFollowUp()) {
                // While actives were missing, new standbys are left to the follow-up.
                group.rebalance(random.nextLong(10_000));
            }
            assertEveryPartitionHasItsReplicas(group);
            if (random.nextInt(3) == 0) {
                group.settle();
                assertEveryPartitionHasItsReplicas(group);
                int least = PARTITIONS / group.nodes.size();
                for (String name : group.nodes.keySet()) {
                    assertThat(group.active(name).size()).isBetween(least, least + 1);
                }
            }
        }
    }
}
