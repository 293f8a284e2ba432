package io.tidemark.http;

import java.time.Duration;

/**
 * How many connections a server holds open, and for how long one that is not in use.
 *
 * @param all at once
 * @param perClient at once for one client address; an IPv6 client is its network of 64 bits
 * @param idle a connection that no request is in flight on is closed after this long
 */
public record ConnectionLimits(int all, int perClient, Duration idle) {
    /** As the API server has it: what Go's clients keep an unused connection for. */
    private static final Duration IDLE = Duration.ofSeconds(90);

    /** For servers that only nodes and connectors call. */
    public static final ConnectionLimits INTERNAL = of(1_024, 512);

    public ConnectionLimits {
        if (all < 1 || perClient < 1 || !idle.isPositive()) {
            throw new IllegalArgumentException(
                    "%d connections, %d of a client, idle for %s".formatted(all, perClient, idle));
        }
    }

    public static ConnectionLimits of(int all, int perClient) {
        return new ConnectionLimits(all, perClient, IDLE);
    }

    /**
     * Connections that one client may open in a second, once it has opened as many as it may hold:
     * it may replace all of them in 50 s; at least 10. See {@link ConnectionPace}.
     */
    int openedPerSecond() {
        return Math.max(10, perClient / 50);
    }
}
