package io.tidemark.chaos.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A proxy between two processes. While it is cut nothing passes, in either direction, and neither
 * side is notified: connections stay open and new ones are accepted, as when packets are lost. Once
 * it is healed, the held-back bytes pass, as TCP's retransmissions would bring them.
 */
final class TcpProxy implements AutoCloseable {
    private static final int BACKLOG = 200;
    private static final int BUFFER = 64 * 1024;

    private final ServerSocket server = new ServerSocket();
    private final InetSocketAddress target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    /** Guards: cut, closed. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();
    private boolean cut;
    private boolean closed;

    TcpProxy(InetSocketAddress listen, InetSocketAddress target) throws IOException {
        this.target = target;
        server.setReuseAddress(true);
        server.bind(listen, BACKLOG);
        Thread.ofVirtual().name("proxy-" + listen).start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    void cut() {
        set(true);
    }

    void heal() {
        set(false);
    }

    private void set(boolean newCut) {
        lock.lock();
        try {
            cut = newCut;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
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
        Socket callee = new Socket();
        sockets.add(callee);
        try {
            awaitUncut();
            callee.connect(target);
            callee.setTcpNoDelay(true);
            caller.setTcpNoDelay(true);
            Thread back = Thread.ofVirtual().start(() -> pump(callee, caller));
            pump(caller, callee);
            back.join();
        } catch (IOException _) {
            // No process listens there: the caller sees its connection end.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            end(caller);
            end(callee);
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER];
        try {
            for (int count = from.getInputStream().read(buffer);
                    count >= 0;
                    count = from.getInputStream().read(buffer)) {
                awaitUncut();
                to.getOutputStream().write(buffer, 0, count);
            }
            awaitUncut();
            to.shutdownOutput();
        } catch (IOException _) {
            // A reset on one side is one on the other, once it gets through.
            end(from);
            end(to);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitUncut() throws InterruptedException {
        lock.lock();
        try {
            while (cut && !closed) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private void end(Socket socket) {
        sockets.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        server.close();
        sockets.forEach(this::end);
    }
}
