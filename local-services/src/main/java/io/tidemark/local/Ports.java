package io.tidemark.local;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Looks for ports that can be listened on. What is free now may be taken a moment later: callers
 * that pick a port try again when their server then fails to bind.
 */
public final class Ports {
    /**
     * Below the ports that systems hand out to outgoing connections (Linux: from 32768 on): one of
     * those could take the port of a server while it restarts.
     */
    private static final int FIRST = 20_000;

    private static final int COUNT = 12_000;

    /** Each process begins elsewhere, and picks no port twice before it has tried all others. */
    private static final AtomicInteger PICKED =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private Ports() {}

    /**
     * A port of {@code host} that nobody listens on at this moment.
     *
     * @throws IOException if {@code host} is not one of this machine, or all its ports are taken
     */
    public static int pickFree(String host) throws IOException {
        IOException last = new IOException("nothing tried");
        for (int i = 0; i < COUNT; i++) {
            int port = FIRST + Math.floorMod(PICKED.getAndIncrement(), COUNT);
            try {
                probe(host, port);
                return port;
            } catch (BindException e) {
                last = e;
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
            // As servers do: a port whose last connections linger in TIME_WAIT is free.
            socket.setReuseAddress(true);
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (address.isUnresolved()) {
                throw new IOException("unknown host");
            }
            socket.bind(address);
        }
    }
}
