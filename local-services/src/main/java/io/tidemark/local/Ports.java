package io.tidemark.local;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Looks for ports that can be listened on. What is free now may be taken a moment later: callers
 * that pick a port try again when their server then fails to bind.
 */
public final class Ports {
    private Ports() {}

    /** A port of {@code host} that nobody listens on at this moment. */
    public static int pickFree(String host) throws IOException {
        return probe(host, 0);
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

    private static int probe(String host, int port) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            // As servers do: a port whose last connections linger in TIME_WAIT is free.
            socket.setReuseAddress(true);
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (address.isUnresolved()) {
                throw new IOException("unknown host");
            }
            socket.bind(address);
            return socket.getLocalPort();
        }
    }
}
