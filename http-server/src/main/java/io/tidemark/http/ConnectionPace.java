package io.tidemark.http;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Limits the rate at which each client opens connections, so that a client in a reconnect loop does
 * not slow down the others. A client may open a burst at once. Further connections are delayed to a
 * sustained rate; a connection whose delay would exceed {@link #LONGEST_WAIT_NANOS} is refused.
 * This is the generic cell rate algorithm (ITU-T I.371), which keeps one time per client.
 *
 * <p>Thread-safe. A client is dropped from the table when its burst is fully restored.
 */
final class ConnectionPace {
    static final long LONGEST_WAIT_NANOS = 10_000_000_000L;

    private static final int FEW_CLIENTS = 1_024;

    private final long intervalNanos;
    private final long burstNanos;
    private final LongSupplier nanoTime;

    /** When each client's burst is fully restored; guarded by this. */
    private final Map<Object, Long> restoredAt = new HashMap<>();

    private int sweepAbove = FEW_CLIENTS;

    /**
     * @param perSecond connections per second that restore a client's burst; at least 1
     * @param burst connections that one client may open at once; at least 1
     * @param nanoTime a clock that never goes back, such as {@link System#nanoTime}
     */
    ConnectionPace(int perSecond, int burst, LongSupplier nanoTime) {
        this.intervalNanos = 1_000_000_000L / perSecond;
        this.burstNanos = intervalNanos * burst;
        this.nanoTime = nanoTime;
    }

    /**
     * Admits a new connection of a client.
     *
     * @return the delay in nanoseconds, 0 within the burst; empty when the connection is refused,
     *     which does not count against the rate
     */
    synchronized OptionalLong waitOf(Object client) {
        long now = nanoTime.getAsLong();
        Long last = restoredAt.get(client);
        long whole = last == null || last - now < 0 ? now : last;
        long wait = Math.max(0, whole + intervalNanos - burstNanos - now);
        if (wait > LONGEST_WAIT_NANOS) {
            return OptionalLong.empty();
        }
        restoredAt.put(client, whole + intervalNanos);
        if (restoredAt.size() > sweepAbove) {
            restoredAt.values().removeIf(at -> at - now <= 0);
            sweepAbove = Math.max(FEW_CLIENTS, 2 * restoredAt.size());
        }
        return OptionalLong.of(wait);
    }

    /** The clients in the table. */
    synchronized int clients() {
        return restoredAt.size();
    }
}
