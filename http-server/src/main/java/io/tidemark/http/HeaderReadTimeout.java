package io.tidemark.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Breaks off connections whose request line and headers do not arrive in a bounded time, with 408.
 * A limit for the silence between two bytes is not enough: one byte now and then would keep a
 * connection for ever. What is being answered, and what waits for its next request, is left alone.
 */
final class HeaderReadTimeout extends AbstractLifeCycle implements Connection.Listener {
    private static final int LOOKS_PER_TIME = 4;

    private final Connector connector;
    private final long longestNanos;
    private final ErrorBody refusal;

    /** Open connections, and since when each has been at the head it is at; 0 for at none. */
    private final Map<HttpConnection, Since> connections = new ConcurrentHashMap<>();

    /**
     * @param longest for a head, from its first byte on; noticed a little later
     */
    HeaderReadTimeout(Connector connector, Duration longest, ErrorBody refusal) {
        this.connector = connector;
        this.longestNanos = longest.toNanos();
        this.refusal = refusal;
    }

    /** The head after so many requests, first seen unfinished at a {@link System#nanoTime}. */
    private record Since(long requests, long nanos) {
        static final Since NOT = new Since(-1, 0);
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof HttpConnection http) {
            connections.put(http, Since.NOT);
        }
    }

    @Override
    public void onClosed(Connection connection) {
        if (connection instanceof HttpConnection http) {
            connections.remove(http);
        }
    }

    @Override
    protected void doStart() {
        scheduleNext();
    }

    private void scheduleNext() {
        Scheduler.Task _ =
                connector
                        .getScheduler()
                        .schedule(this::look, longestNanos / LOOKS_PER_TIME, TimeUnit.NANOSECONDS);
    }

    private void look() {
        if (isStopping() || isStopped()) {
            return;
        }
        long now = System.nanoTime();
        connections.replaceAll((connection, since) -> lookAt(connection, since, now));
        scheduleNext();
    }

    private Since lookAt(HttpConnection connection, Since since, long now) {
        if (!insideHead(connection.getParser())) {
            return Since.NOT;
        }
        long requests = connection.getMessagesIn();
        if (since.requests() != requests) {
            return new Since(requests, now);
        }
        if (now - since.nanos() >= longestNanos) {
            refuse(connection.getEndPoint());
        }
        return since;
    }

    private static boolean insideHead(HttpParser parser) {
        return !parser.isStart()
                && parser.getState().ordinal() < HttpParser.State.CONTENT.ordinal();
    }

    private void refuse(EndPoint endPoint) {
        byte[] body = refusal.write(408, "Timeout", "the request did not arrive in time");
        String head =
                "HTTP/1.1 408 Request Timeout\r\nContent-Type: %s\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
                        .formatted(refusal.contentType(), body.length);
        try {
            endPoint.write(
                    Callback.from(endPoint::close),
                    ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)),
                    ByteBuffer.wrap(body));
        } catch (RuntimeException _) {
            // The head came after all and is being answered: too late, as was to be expected.
            endPoint.close();
        }
    }
}
