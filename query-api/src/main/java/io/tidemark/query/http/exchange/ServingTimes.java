package io.tidemark.query.http.exchange;

import io.tidemark.query.watch.WatchPermit;
import java.time.Duration;

/**
 * Timeouts and intervals of serving.
 *
 * @param freshness limit of a request's wait for the requested state; then 504
 * @param bookmarkInterval interval of a watch's bookmarks
 * @param shortestWatch a watch without a timeout gets a random one between this and twice this
 * @param stalledClient a client that reads nothing for this long is disconnected
 * @param stop how long a stopping node waits for requests in flight
 * @param drain time over which a stopping node ends its watches one after the other; may be zero
 * @param startupHold how long a request waits during startup before it is refused; may be zero
 * @param watchGrace how long a watch whose right has ended may take to send the reason
 */
public record ServingTimes(
        Duration freshness,
        Duration bookmarkInterval,
        Duration shortestWatch,
        Duration stalledClient,
        Duration stop,
        Duration drain,
        Duration startupHold,
        Duration watchGrace) {
    public ServingTimes {
        for (Duration each :
                new Duration[] {
                    freshness, bookmarkInterval, shortestWatch, stalledClient, stop, watchGrace
                }) {
            if (!each.isPositive()) {
                throw new IllegalArgumentException("a serving time must be above 0: " + each);
            }
        }
        if (drain.isNegative() || startupHold.isNegative()) {
            throw new IllegalArgumentException(
                    "serving times must not be below 0: drain %s, startup hold %s"
                            .formatted(drain, startupHold));
        }
    }

    /** A wait of 3 s, bookmarks each minute, watches of 30 to 60 minutes, 5 s to stop. */
    public static ServingTimes defaults() {
        return new ServingTimes(
                Duration.ofSeconds(3),
                Duration.ofMinutes(1),
                Duration.ofMinutes(30),
                Duration.ofMinutes(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                WatchPermit.GRACE);
    }

    public ServingTimes withFreshness(Duration newFreshness) {
        return new ServingTimes(
                newFreshness,
                bookmarkInterval,
                shortestWatch,
                stalledClient,
                stop,
                drain,
                startupHold,
                watchGrace);
    }

    public ServingTimes withBookmarkInterval(Duration newBookmarkInterval) {
        return new ServingTimes(
                freshness,
                newBookmarkInterval,
                shortestWatch,
                stalledClient,
                stop,
                drain,
                startupHold,
                watchGrace);
    }

    public ServingTimes withStalledClient(Duration newStalledClient) {
        return new ServingTimes(
                freshness,
                bookmarkInterval,
                shortestWatch,
                newStalledClient,
                stop,
                drain,
                startupHold,
                watchGrace);
    }

    public ServingTimes withDrain(Duration newDrain) {
        return new ServingTimes(
                freshness,
                bookmarkInterval,
                shortestWatch,
                stalledClient,
                stop,
                newDrain,
                startupHold,
                watchGrace);
    }

    public ServingTimes withStartupHold(Duration newStartupHold) {
        return new ServingTimes(
                freshness,
                bookmarkInterval,
                shortestWatch,
                stalledClient,
                stop,
                drain,
                newStartupHold,
                watchGrace);
    }

    public ServingTimes withWatchGrace(Duration newWatchGrace) {
        return new ServingTimes(
                freshness,
                bookmarkInterval,
                shortestWatch,
                stalledClient,
                stop,
                drain,
                startupHold,
                newWatchGrace);
    }
}
