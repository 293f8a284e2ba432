package io.tidemark.connector;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A proxy in front of etcd that can be cut: then connections stay open but pass no bytes. Healing
 * closes them, so held-back bytes are lost.
 */
final class EtcdLink implements AutoCloseable {
    private final ServerSocket server;
    private final URI etcd;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    EtcdLink(String etcd) throws IOException {
        this.etcd = URI.create(etcd);
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    void cut() {
        cut = true;
    }

    void heal() {
        cut = false;
        sockets.forEach(EtcdLink::end);
    }

    private void accept() {
        try {
            while (true) {
                Socket caller = server.accept();
                sockets.add(caller);
                Thread.ofVirtual().start(() -> connect(caller));
            }
        } catch (IOException _) {
            // Closed.
        }
    }

    private void connect(Socket caller) {
        if (cut) {
            return; // The connection stays open without an answer.
        }
        try {
            Socket callee = new Socket(etcd.getHost(), etcd.getPort());
            sockets.add(callee);
            Thread.ofVirtual().start(() -> pump(callee, caller));
            pump(caller, callee);
        } catch (IOException _) {
            end(caller);
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[8_192];
        try {
            for (int count = from.getInputStream().read(buffer);
                    count >= 0;
                    count = from.getInputStream().read(buffer)) {
                if (!cut) {
                    to.getOutputStream().write(buffer, 0, count);
                }
            }
        } catch (IOException _) {
            // The other end is closed below.
        }
        if (!cut) {
            end(from);
            end(to);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        sockets.forEach(EtcdLink::end);
    }
}
