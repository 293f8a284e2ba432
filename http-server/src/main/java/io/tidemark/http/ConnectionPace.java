package io.tidemark.http;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Spaces the new connections of each client, so that a client that opens and drops them without end
 * costs the others little. A client may open a burst at once; after it, each connection waits until
 * its turn at the sustained rate, and one that would wait for longer than {@link #LONGEST_WAIT} is
 * refused. This is the generic cell rate algorithm (ITU-T I.371): one time for each client.
 *
 * <p>Safe for all threads. Clients are forgotten when their burst is whole again.
 */
final class ConnectionPace {
    static final long LONGEST_WAIT_NANOS = 10_000_000_000L;

    private static final int FEW_CLIENTS = 1_024;

    private final long intervalNanos;
    private final long burstNanos;
    private final LongSupplier nanoTime;

    /** When a client's burst is whole again; guarded by this. */
    private final Map<Object, Long> wholeAgain = new HashMap<>();

    private int sweepAbove = FEW_CLIENTS;

    /**
     * @param perSecond connections of one client that a second adds to its burst; at least 1
     * @param burst connections that one client may open at once; at least 1
     * @param nanoTime a clock that never goes back, such as {@link System#nanoTime}
     */
    ConnectionPace(int perSecond, int burst, LongSupplier nanoTime) {
        this.intervalNanos = 1_000_000_000L / perSecond;
        this.burstNanos = intervalNanos * burst;
        this.nanoTime = nanoTime;
    }

    /**
     * How many nanoseconds a connection that a client opens now has to wait; 0 within the burst,
     * empty when it is refused. Only connections that are not refused count.
     */
    synchronized OptionalLong waitOf(Object client) {
        long now = nanoTime.getAsLong();
        Long last = wholeAgain.get(client);
        long whole = last == null || last - now < 0 ? now : last;
        long wait = Math.max(0, whole + intervalNanos - burstNanos - now);
        if (wait > LONGEST_WAIT_NANOS) {
            return OptionalLong.empty();
        }
        wholeAgain.put(client, whole + intervalNanos);
        if (wholeAgain.size() > sweepAbove) {
            wholeAgain.values().removeIf(at -> at - now <= 0);
            sweepAbove = Math.max(FEW_CLIENTS, 2 * wholeAgain.size());
        }
        return OptionalLong.of(wait);
    }

    /** How many clients are remembered. */
    synchronized int clients() {
        return wholeAgain.size();
    }
}
