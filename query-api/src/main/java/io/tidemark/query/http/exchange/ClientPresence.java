package io.tidemark.query.http.exchange;

import io.tidemark.serving.read.ClientDisconnectedException;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.WatchCursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.BufferUtil;

/**
 * Detects that the client of a request has disconnected. While a request is served Jetty does not
 * read from its connection, so a disconnect only shows on a write, and a list that finds nothing
 * writes nothing. Like the API server, this treats a half-closed connection as disconnected.
 */
public final class ClientPresence {
    private static final int PEEK = 256;

    /** Checks of a quiet watch's client, within the time after which a stalled one is cut. */
    private static final int CHECKS = 10;

    private ClientPresence() {}

    /**
     * Checks by reading from the connection; bytes of the next request are passed back to Jetty.
     * For the thread that serves the request, whose body must have been read.
     *
     * @throws ClientDisconnectedException when the client has closed its connection
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
                throw new ClientDisconnectedException("the client has disconnected");
            }
        } catch (IOException e) {
            throw new ClientDisconnectedException("the client has disconnected: " + e.getMessage());
        }
        if (next.hasRemaining()) {
            connection.onUpgradeTo(next);
        }
    }

    /** Time between two checks of a quiet watch's client. */
    public static Duration interval(ServingTimes times) {
        return times.stalledClient().dividedBy(CHECKS);
    }

    /**
     * Waits for a watch's next events and checks its client meanwhile: without events nothing is
     * written that would show that the client has disconnected.
     *
     * @param untilNanos as of {@link System#nanoTime}
     * @param requireClient throws {@link ClientDisconnectedException} when it has disconnected
     */
    public static Step next(
            WatchCursor cursor, long untilNanos, ServingTimes times, Runnable requireClient)
            throws InterruptedException {
        long between = interval(times).toNanos();
        while (true) {
            long left = untilNanos - System.nanoTime();
            if (left <= between) {
                return cursor.next(untilNanos);
            }
            long check = System.nanoTime() + between;
            Step step = cursor.next(check);
            boolean early = System.nanoTime() - check < 0;
            if (early || !(step instanceof Step.NoEvents)) {
                return step;
            }
            requireClient.run();
        }
    }
}
