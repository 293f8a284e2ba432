package io.tidemark.local;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds free ports. A port once picked is reserved for this process until it ends, also while its
 * server is down: no other Tidemark process of the same user picks it. Other programs may still
 * bind it first, so callers retry with another port if their server fails to bind.
 */
public final class Ports {
    /**
     * Below the ephemeral ports (Linux: from 32768 on): an outgoing connection could take the port
     * of a restarting server.
     */
    private static final int FIRST = 20_000;

    private static final int COUNT = 12_000;

    /** Starts at a random port per process, and cycles through all ports. */
    private static final AtomicInteger PICKED =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private Ports() {}

    /**
     * Picks a port of {@code host} that is free now.
     *
     * @throws IOException if {@code host} is not one of this machine, or all its ports are in use
     */
    public static int pickFree(String host) throws IOException {
        IOException last = new IOException("other processes reserved all of them");
        for (int i = 0; i < COUNT; i++) {
            int port = FIRST + Math.floorMod(PICKED.getAndIncrement(), COUNT);
            // A probe binds the port for a moment, and a server of its owner could not start then.
            if (!PortReservations.reserve(port)) {
                continue;
            }
            boolean free = false;
            try {
                probe(host, port);
                free = true;
                return port;
            } catch (BindException e) {
                last = e;
            } finally {
                if (!free) {
                    PortReservations.release(port);
                }
            }
        }
        throw new IOException("no free port on " + host, last);
    }

    /**
     * Checks that {@code host:port} can be listened on.
     *
     * @throws PortInUseException if it cannot
     */
    public static void requireFree(String host, int port) throws PortInUseException {
        try {
            probe(host, port);
        } catch (IOException e) {
            throw new PortInUseException(host, port, e);
        }
    }

    private static void probe(String host, int port) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            // Like servers: a port with connections in TIME_WAIT counts as free.
            socket.setReuseAddress(true);
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (address.isUnresolved()) {
                throw new IOException("unknown host");
            }
            socket.bind(address);
        }
    }
}
