package io.tidemark.streams;

import java.util.Map;
import java.util.Set;

/**
 * What a node brings.
 *
 * @param weight how many threads it has
 * @param active partitions that it owns now
 * @param standby partitions that it was to follow by the placement before this one
 * @param lags by partition, how many records it lacks; of those that it owns nothing unless said,
 *     and those that it holds nothing of are left out
 */
record NodeHoldings(
        int weight, Set<Integer> active, Set<Integer> standby, Map<Integer, Long> lags) {
    NodeHoldings {
        active = Set.copyOf(active);
        standby = Set.copyOf(standby);
        lags = Map.copyOf(lags);
    }
}
