package io.tidemark.http.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * A proxy between two processes. While it is cut nothing passes, in either direction, and neither
 * side is notified: connections stay open and new ones are accepted, as when packets are lost. Once
 * it is healed, the held-back bytes pass, as TCP's retransmissions would bring them; or {@link
 * #dropConnections} has lost them.
 */
public final class TcpProxy implements AutoCloseable {
    private static final int BACKLOG = 200;
    private static final int BUFFER = 64 * 1024;

    private final ServerSocket server = new ServerSocket();
    private final InetSocketAddress target;
    private final Tap tap;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    /** Guards: cut, closed. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();
    private boolean cut;
    private boolean closed;

    /** Sees what passes, and may change it. Called by several threads. */
    public interface Tap {
        /** Changes nothing. */
        Tap NONE = new Tap() {};

        /**
         * A caller has sent something; it has not passed yet.
         *
         * @param connection the caller's connection, the same for all of its bytes
         * @return what passes
         */
        default byte[] sent(Object connection, byte[] piece) {
            return piece;
        }

        /**
         * The target has sent something; it has not passed yet.
         *
         * @return what passes
         */
        default byte[] answered(byte[] piece) {
            return piece;
        }
    }

    /** Listens at any port of the loopback address. */
    public TcpProxy(InetSocketAddress target, Tap tap) throws IOException {
        this(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), target, tap);
    }

    public TcpProxy(InetSocketAddress listen, InetSocketAddress target) throws IOException {
        this(listen, target, Tap.NONE);
    }

    private TcpProxy(InetSocketAddress listen, InetSocketAddress target, Tap tap)
            throws IOException {
        this.target = target;
        this.tap = tap;
        server.setReuseAddress(true);
        server.bind(listen, BACKLOG);
        Thread.ofVirtual().name("proxy-" + listen).start(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    public void cut() {
        set(true);
    }

    public void heal() {
        set(false);
    }

    /** Closes all connections, and so loses the bytes that were held back. */
    public void dropConnections() {
        sockets.forEach(this::end);
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
            Thread back = Thread.ofVirtual().start(() -> pump(callee, caller, tap::answered));
            pump(caller, callee, piece -> tap.sent(caller, piece));
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

    private void pump(Socket from, Socket to, UnaryOperator<byte[]> change) {
        byte[] buffer = new byte[BUFFER];
        try {
            for (int count = from.getInputStream().read(buffer);
                    count >= 0;
                    count = from.getInputStream().read(buffer)) {
                byte[] piece = change.apply(Arrays.copyOf(buffer, count));
                awaitUncut();
                to.getOutputStream().write(piece);
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
        dropConnections();
    }
}
