package io.tidemark.query.http;

import io.tidemark.serving.read.ClientDisconnectedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.BufferUtil;

/**
 * Whether the client of a request is still there. While a request is answered, Jetty does not read
 * from its connection; so a client that has left shows only when it is written to, and a list that
 * finds nothing writes nothing. As with the API server, a client that has closed its side is gone.
 */
final class ClientPresence {
    private static final int PEEK = 256;

    private ClientPresence() {}

    /**
     * Checks by reading what the client has sent behind its request, if anything: the beginning of
     * the next one is handed to whoever reads that. For the thread that answers the request, of
     * which nothing may be left to read.
     *
     * @throws ClientDisconnectedException when it has closed its connection
     */
    static void require(ServletContextRequest request) {
        if (!(request.getConnectionMetaData() instanceof HttpConnection connection)
                || !connection.isRequestBufferEmpty()) {
            return;
        }
        EndPoint endPoint = connection.getEndPoint();
        ByteBuffer next = BufferUtil.allocate(PEEK);
        try {
            if (!endPoint.isOpen() || endPoint.fill(next) < 0) {
                throw new ClientDisconnectedException("the client has left");
            }
        } catch (IOException e) {
            throw new ClientDisconnectedException("the client has left: " + e.getMessage());
        }
        if (next.hasRemaining()) {
            connection.onUpgradeTo(next);
        }
    }
}
