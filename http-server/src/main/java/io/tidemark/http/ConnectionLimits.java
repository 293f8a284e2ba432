package io.tidemark.http;

import java.time.Duration;

/**
 * Limits of a server's open connections.
 *
 * @param all most connections at once
 * @param perClient most connections at once of one client address; an IPv6 client is its network of
 *     64 bits
 * @param idle a connection without a request in flight is closed after this long
 */
public record ConnectionLimits(int all, int perClient, Duration idle) {
    /** As in the API server: how long Go's clients keep an unused connection. */
    private static final Duration IDLE = Duration.ofSeconds(90);

    /** For servers that only nodes and connectors call. */
    public static final ConnectionLimits INTERNAL = of(1_024, 512);

    public ConnectionLimits {
        if (all < 1 || perClient < 1 || !idle.isPositive()) {
            throw new IllegalArgumentException(
                    "%d connections, %d per client, idle for %s".formatted(all, perClient, idle));
        }
    }

    public static ConnectionLimits of(int all, int perClient) {
        return new ConnectionLimits(all, perClient, IDLE);
    }

    /**
     * The sustained rate at which one client may open connections after a burst of {@code
     * perClient}: a fiftieth of it per second, at least 10. See {@link ConnectionPace}.
     */
    int openedPerSecond() {
        return Math.max(10, perClient / 50);
    }
}
