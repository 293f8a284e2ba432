package io.tidemark.query.http;

import java.time.Duration;

/**
 * How long things may take.
 *
 * @param freshness a request's whole wait for the state it asked for; then 504
 * @param bookmarkInterval between bookmarks of a watch that wants them
 * @param shortestWatch a watch that names no timeout gets a random one, from this to its double
 * @param stalledClient a client that takes nothing for this long is disconnected
 * @param stop for requests that are being answered when the node stops
 * @param drain when the node stops, its watches are ended one after the other within this time; may
 *     be zero
 * @param startupHold how long a request is held on the node's way up before it is refused; may be
 *     zero
 */
public record ServingTimes(
        Duration freshness,
        Duration bookmarkInterval,
        Duration shortestWatch,
        Duration stalledClient,
        Duration stop,
        Duration drain,
        Duration startupHold) {
    public ServingTimes {
        for (Duration each :
                new Duration[] {freshness, bookmarkInterval, shortestWatch, stalledClient, stop}) {
            if (!each.isPositive()) {
                throw new IllegalArgumentException("a time that is not above 0: " + each);
            }
        }
        if (drain.isNegative() || startupHold.isNegative()) {
            throw new IllegalArgumentException(
                    "times below 0: drain %s, arrival %s".formatted(drain, startupHold));
        }
    }

    public static ServingTimes defaults() {
        return new ServingTimes(
                Duration.ofSeconds(3),
                Duration.ofMinutes(1),
                Duration.ofMinutes(30),
                Duration.ofMinutes(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5));
    }

    public ServingTimes withFreshness(Duration newFreshness) {
        return new ServingTimes(
                newFreshness,
                bookmarkInterval,
                shortestWatch,
                stalledClient,
                stop,
                drain,
                startupHold);
    }

    public ServingTimes withBookmarkInterval(Duration newBookmarkInterval) {
        return new ServingTimes(
                freshness,
                newBookmarkInterval,
                shortestWatch,
                stalledClient,
                stop,
                drain,
                startupHold);
    }

    public ServingTimes withStalledClient(Duration newStalledClient) {
        return new ServingTimes(
                freshness,
                bookmarkInterval,
                shortestWatch,
                newStalledClient,
                stop,
                drain,
                startupHold);
    }

    public ServingTimes withDrain(Duration newDrain) {
        return new ServingTimes(
                freshness,
                bookmarkInterval,
                shortestWatch,
                stalledClient,
                stop,
                newDrain,
                startupHold);
    }

    public ServingTimes withStartupHold(Duration newArrival) {
        return new ServingTimes(
                freshness, bookmarkInterval, shortestWatch, stalledClient, stop, drain, newArrival);
    }
}
