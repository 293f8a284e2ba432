package io.tidemark.connector;

import io.tidemark.concurrent.Backoff;
import io.tidemark.connector.feed.FeedSchedule;
import java.time.Duration;

/**
 * Delays of a feed that a test with a short history window shortens.
 *
 * @param maxCommitDelay how long written records may wait for their commit
 * @param retries the pauses after faults
 * @param pageRetry the pause before a failed page of a list is requested again
 */
public record FeedTiming(Duration maxCommitDelay, Backoff retries, Duration pageRetry) {
    public static final FeedTiming DEFAULT =
            new FeedTiming(
                    FeedSchedule.MAX_COMMIT_DELAY,
                    new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2)),
                    Duration.ofSeconds(1));
}
