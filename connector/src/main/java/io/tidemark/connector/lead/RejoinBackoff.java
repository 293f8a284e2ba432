package io.tidemark.connector.lead;

import io.tidemark.concurrent.Backoff;
import java.time.Duration;

/**
 * Chooses how long a connector that left the election stays out, at least. An unstable etcd causes
 * few rebalances that way, and connectors that left together do not come back together.
 */
final class RejoinBackoff {
    private final Backoff pauses;
    private int departures;

    RejoinBackoff(Backoff pauses) {
        this.pauses = pauses;
    }

    /**
     * The pause to make now; the next one is longer.
     *
     * @param stood how long it was in the group; after a long time the pauses start over
     * @param random from 0 to 1: the pause is between half and all of its length
     */
    Duration after(Duration stood, double random) {
        departures = stood.compareTo(pauses.longest()) > 0 ? 1 : departures + 1;
        return pauses.after(departures, random);
    }
}
