package io.tidemark.connector.lead;

import java.time.Duration;

/**
 * Chooses how long a connector that left the election stays out, at least: about 1 s, doubled each
 * time, up to 1 min. An unstable etcd causes few rebalances that way, and connectors that left
 * together do not come back together.
 */
final class RejoinBackoff {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private Duration next = FIRST;

    /**
     * The pause to make now; the next one is longer.
     *
     * @param stood how long it was in the group; after a long time the pauses start over
     * @param random from 0 to 1: the pause is between half and all of its length
     */
    Duration after(Duration stood, double random) {
        Duration longest = stood.compareTo(LONGEST) > 0 ? FIRST : next;
        Duration doubled = longest.multipliedBy(2);
        next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        return Duration.ofNanos((long) (longest.toNanos() * (0.5 + random / 2)));
    }
}
