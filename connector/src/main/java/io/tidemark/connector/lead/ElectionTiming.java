package io.tidemark.connector.lead;

import io.tidemark.concurrent.Backoff;
import java.time.Duration;

/**
 * Pauses of an election.
 *
 * @param afterFailure after a failed attempt to join
 * @param afterFence how long a fenced connector waits before it joins again
 * @param stepDown when a connector without etcd leaves
 * @param rejoin how long it then stays out, at least
 */
public record ElectionTiming(
        Duration afterFailure, Duration afterFence, StepDownPolicy stepDown, Backoff rejoin) {
    public static final ElectionTiming DEFAULT =
            new ElectionTiming(
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(5),
                    StepDownPolicy.DEFAULT,
                    new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1)));
}
