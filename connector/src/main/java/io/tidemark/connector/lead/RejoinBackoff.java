package io.tidemark.connector.lead;

import java.time.Duration;

/**
 * How long a connector that left the others stays away, at least: about 1 s, twice as long each
 * time, 1 min at most. An etcd that comes and goes makes few changes of the group that way, and
 * connectors that left together do not come back together.
 */
final class RejoinBackoff {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private Duration next = FIRST;

    /**
     * The pause to make now; the next one is longer.
     *
     * @param stood how long it was with the others; after a long time it begins anew
     * @param random from 0 to 1: the pause is between a half and the whole of its length
     */
    Duration after(Duration stood, double random) {
        Duration longest = stood.compareTo(LONGEST) > 0 ? FIRST : next;
        Duration doubled = longest.multipliedBy(2);
        next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        return Duration.ofNanos((long) (longest.toNanos() * (0.5 + random / 2)));
    }
}
