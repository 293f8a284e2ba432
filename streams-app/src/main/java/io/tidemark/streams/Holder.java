package io.tidemark.streams;

import java.util.Map;
import java.util.Set;

/**
 * What a node brings.
 *
 * @param weight how many threads it has
 * @param owned partitions that it owns now
 * @param following partitions that it was to follow by the placement before this one
 * @param lags by partition, how many records it lacks; of those that it owns nothing unless said,
 *     and those that it holds nothing of are left out
 */
record Holder(int weight, Set<Integer> owned, Set<Integer> following, Map<Integer, Long> lags) {
    Holder {
        owned = Set.copyOf(owned);
        following = Set.copyOf(following);
        lags = Map.copyOf(lags);
    }
}
