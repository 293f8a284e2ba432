package io.tidemark.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of one server, each idle or with a request in flight. A new connection above
 * a limit, in total or of its client, evicts the one that has been idle for longest; without an
 * idle one it is rejected. Thread-safe; every step takes constant time.
 *
 * @param <C> a connection, by identity or by equality
 */
final class ConnectionTable<C> {
    private final ConnectionLimits limits;
    private final Predicate<C> evictable;

    // All guarded by this.
    private final Map<C, Connection> open = new HashMap<>();
    private final Map<Object, Client> clients = new HashMap<>();
    private final SequencedSet<C> idle = new LinkedHashSet<>();
    private long refused;
    private long evicted;

    /**
     * @param evictable whether an idle connection is really idle: one that was upgraded, for
     *     example to a WebSocket, never is
     */
    ConnectionTable(ConnectionLimits limits, Predicate<C> evictable) {
        this.limits = limits;
        this.evictable = evictable;
    }

    /** Outcome for a new connection. */
    sealed interface Admission<C> {
        /** The connection is in the table. */
        record Admitted<C>() implements Admission<C> {}

        /** The connection is in the table, and evicted one that must be closed. */
        record InPlaceOf<C>(C closed) implements Admission<C> {}

        /** Rejected: its client has too many connections. */
        record TooManyOfClient<C>() implements Admission<C> {}

        /** Rejected: the server has too many connections. */
        record TooMany<C>() implements Admission<C> {}
    }

    /** A connection, with as many requests in flight as its protocol allows. */
    private final class Connection {
        private final Client client;
        private int requests;

        Connection(Client client) {
            this.client = client;
        }
    }

    /** The connections of one address. */
    private final class Client {
        private final Object address;
        private final SequencedSet<C> idle = new LinkedHashSet<>();
        private int open;

        Client(Object address) {
            this.address = address;
        }
    }

    /** A connection was opened; it is idle until its first request. */
    synchronized Admission<C> opened(C connection, @Nullable SocketAddress from) {
        Object address = addressOf(from);
        Client client = clients.computeIfAbsent(address, Client::new);
        boolean ofClient = client.open >= limits.perClient();
        Optional<C> closed = Optional.empty();
        if (ofClient || open.size() >= limits.all()) {
            closed = oldest(ofClient ? client.idle : idle);
            if (closed.isEmpty()) {
                refused++;
                forget(client);
                return ofClient ? new Admission.TooManyOfClient<>() : new Admission.TooMany<>();
            }
            evicted++;
            closed(closed.get());
            clients.putIfAbsent(address, client); // It may have lost its only connection.
        }
        open.put(connection, new Connection(client));
        client.open++;
        setIdle(connection, client);
        return closed.<Admission<C>>map(Admission.InPlaceOf::new)
                .orElseGet(Admission.Admitted::new);
    }

    /** A request has begun on the connection. */
    synchronized void began(C connection) {
        Connection found = open.get(connection);
        if (found != null) {
            found.requests++;
            idle.remove(connection);
            found.client.idle.remove(connection);
        }
    }

    /** A request of the connection was answered, or failed. */
    synchronized void ended(C connection) {
        Connection found = open.get(connection);
        if (found != null && --found.requests == 0) {
            setIdle(connection, found.client);
        }
    }

    /** The connection was closed, or was never in the table. */
    synchronized void closed(C connection) {
        Connection found = open.remove(connection);
        if (found != null) {
            idle.remove(connection);
            found.client.idle.remove(connection);
            found.client.open--;
            forget(found.client);
        }
    }

    synchronized ConnectionCounts counts() {
        return new ConnectionCounts(open.size(), refused, evicted);
    }

    private void setIdle(C connection, Client client) {
        idle.addLast(connection);
        client.idle.addLast(connection);
    }

    private void forget(Client client) {
        if (client.open == 0) {
            clients.remove(client.address);
        }
    }

    private Optional<C> oldest(SequencedSet<C> candidates) {
        for (Iterator<C> oldestFirst = candidates.iterator(); oldestFirst.hasNext(); ) {
            C candidate = oldestFirst.next();
            if (evictable.test(candidate)) {
                return Optional.of(candidate);
            }
            // It never becomes evictable, so it need not be checked again.
            oldestFirst.remove();
        }
        return Optional.empty();
    }

    /** The identity of a client. The owner of one IPv6 address has all 2^64 of its network. */
    static Object addressOf(@Nullable SocketAddress from) {
        InetAddress address =
                from instanceof InetSocketAddress internet ? internet.getAddress() : null;
        if (address instanceof Inet6Address six) {
            return ByteBuffer.wrap(six.getAddress(), 0, Long.BYTES);
        }
        return address == null ? "unknown" : address;
    }
}
