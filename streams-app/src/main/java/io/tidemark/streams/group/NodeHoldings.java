package io.tidemark.streams.group;

import java.util.Map;
import java.util.Set;

/**
 * What the assignor knows about one node, see {@link Placement}.
 *
 * @param weight its number of threads
 * @param active partitions that it is active for
 * @param standby partitions that the previous placement made it a standby of
 * @param lags by partition, how many records its replica lags; an active without an entry lags 0, a
 *     node without an entry has no replica
 */
record NodeHoldings(
        int weight, Set<Integer> active, Set<Integer> standby, Map<Integer, Long> lags) {
    NodeHoldings {
        active = Set.copyOf(active);
        standby = Set.copyOf(standby);
        lags = Map.copyOf(lags);
    }
}
