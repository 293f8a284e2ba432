package io.tidemark.query.http.exchange;

import io.tidemark.serving.read.ClientDisconnectedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * The client's end of one response. In HTTP/1.1 a response is ended early by closing its
 * connection. In HTTP/2 it is one stream of a connection whose other streams go on.
 */
sealed interface ClientConnection {
    static ClientConnection of(ServletContextRequest request) {
        return switch (request.getConnectionMetaData()) {
            case HTTP2Connection connection -> new Multiplexed(request, connection);
            case Object connection -> new Single(request, connection);
        };
    }

    /**
     * Checks that the client is still connected. For the thread that serves the request, which has
     * no body.
     *
     * @throws ClientDisconnectedException when it is not
     */
    void require();

    /** Breaks the response off, so that the client does not mistake a part for the whole. */
    void abort(Throwable why);

    /** Lets no more requests come on this connection, after a complete response. */
    void end();

    /** Ends the request without a response, in a way that clients repeat it elsewhere. */
    void refuse();

    /**
     * Calls a task when the client has disconnected, if that is noticed while nothing is written.
     */
    void onDisconnect(Runnable task);

    /** Whether the client has ended the response, and Jetty has released it. */
    boolean isEndedByClient();

    /** Whether this is HTTP/1, whose headers describe the connection too. */
    boolean isHttp1();

    /** A connection of HTTP/1. */
    record Single(ServletContextRequest request, Object connection) implements ClientConnection {
        private static final int PEEK = 256;

        /**
         * While a request is served Jetty does not read from its connection, so a disconnect only
         * shows on a write, and a list that finds nothing writes nothing. This reads; bytes of the
         * next request are passed back to Jetty. Like the API server, it treats a half-closed
         * connection as disconnected.
         */
        @Override
        public void require() {
            if (!(connection instanceof HttpConnection http) || !http.isRequestBufferEmpty()) {
                return;
            }
            EndPoint endPoint = http.getEndPoint();
            ByteBuffer next = BufferUtil.allocate(PEEK);
            try {
                if (!endPoint.isOpen() || endPoint.fill(next) < 0) {
                    throw new ClientDisconnectedException("the client has disconnected");
                }
            } catch (IOException e) {
                throw new ClientDisconnectedException(
                        "the client has disconnected: " + e.getMessage());
            }
            if (next.hasRemaining()) {
                http.onUpgradeTo(next);
            }
        }

        @Override
        public void abort(Throwable why) {
            endPoint().close(why);
        }

        @Override
        public void end() {
            endPoint().close();
        }

        @Override
        public void refuse() {
            endPoint().close();
        }

        /** Not noticed: {@link #require} reads. */
        @Override
        public void onDisconnect(Runnable task) {}

        @Override
        public boolean isEndedByClient() {
            return false;
        }

        @Override
        public boolean isHttp1() {
            return true;
        }

        private EndPoint endPoint() {
            return request.getServletChannel().getEndPoint();
        }
    }

    /** A stream of HTTP/2. */
    final class Multiplexed implements ClientConnection {
        private final ServletContextRequest request;
        private final HTTP2Session session;
        private volatile boolean gone;

        Multiplexed(ServletContextRequest request, HTTP2Connection connection) {
            this.request = request;
            this.session = connection.getSession();
            onDisconnect(() -> gone = true);
            // A quiet watch is no failure.
            request.addIdleTimeoutListener(_ -> false);
        }

        @Override
        public void require() {
            if (gone) {
                throw new ClientDisconnectedException("the client has ended the stream");
            }
        }

        @Override
        public void abort(Throwable why) {
            try {
                request.fail(why);
            } catch (IllegalStateException _) {
                // Jetty has ended it: the client has gone.
            }
        }

        @Override
        public void end() {
            var _ = session.shutdown();
        }

        @Override
        public void refuse() {
            var _ = session.shutdown();
            Stream stream = session.getStream(Integer.parseInt(request.getId()));
            if (stream != null) {
                stream.reset(
                        new ResetFrame(stream.getId(), ErrorCode.REFUSED_STREAM_ERROR.code),
                        Callback.NOOP);
            }
        }

        @Override
        public void onDisconnect(Runnable task) {
            request.addFailureListener(_ -> task.run());
        }

        @Override
        public boolean isEndedByClient() {
            return gone;
        }

        @Override
        public boolean isHttp1() {
            return false;
        }
    }
}
