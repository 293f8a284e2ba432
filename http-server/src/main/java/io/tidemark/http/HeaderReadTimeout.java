package io.tidemark.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSession;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections whose request line and headers do not arrive within a bounded time, with 408,
 * and those whose TLS handshake takes as long. A limit on the silence between two bytes is not
 * enough: a byte now and then would keep a connection open for ever. Requests being answered and
 * idle connections are not affected.
 */
final class HeaderReadTimeout extends AbstractLifeCycle implements Connection.Listener {
    private static final int CHECKS_PER_TIMEOUT = 4;

    /** The cipher of a TLS session before the end of its handshake. */
    private static final String NO_CIPHER = "SSL_NULL_WITH_NULL_NULL";

    private final Connector connector;
    private final long longestNanos;
    private final ErrorBody refusal;

    /** Open connections, and since when each has been reading its current headers. */
    private final Map<HttpConnection, Since> connections = new ConcurrentHashMap<>();

    /** TLS connections in their handshake, and since when. */
    private final Map<SslConnection, Long> handshakes = new ConcurrentHashMap<>();

    /**
     * @param longest time for the headers, from their first byte on; enforced a little later
     */
    HeaderReadTimeout(Connector connector, Duration longest, ErrorBody refusal) {
        this.connector = connector;
        this.longestNanos = longest.toNanos();
        this.refusal = refusal;
    }

    /** The headers after so many requests, first seen incomplete at a {@link System#nanoTime}. */
    private record Since(long requests, long nanos) {
        static final Since NOT = new Since(-1, 0);
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof HttpConnection http) {
            connections.put(http, Since.NOT);
        } else if (connection instanceof SslConnection tls) {
            handshakes.put(tls, System.nanoTime());
        }
    }

    @Override
    public void onClosed(Connection connection) {
        if (connection instanceof HttpConnection http) {
            connections.remove(http);
        } else if (connection instanceof SslConnection tls) {
            handshakes.remove(tls);
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
                        .schedule(
                                this::checkAll,
                                longestNanos / CHECKS_PER_TIMEOUT,
                                TimeUnit.NANOSECONDS);
    }

    private void checkAll() {
        if (isStopping() || isStopped()) {
            return;
        }
        long now = System.nanoTime();
        connections.replaceAll((connection, since) -> check(connection, since, now));
        handshakes.entrySet().removeIf(each -> !isInHandshake(each.getKey()));
        handshakes.forEach((connection, since) -> {
            if (now - since >= longestNanos) {
                connection.getEndPoint().close();
            }
        });
        scheduleNext();
    }

    private static boolean isInHandshake(SslConnection connection) {
        SSLSession begun = connection.getSSLEngine().getSession();
        return begun.getCipherSuite().equals(NO_CIPHER);
    }

    private Since check(HttpConnection connection, Since since, long now) {
        if (!isReadingHeaders(connection.getParser())) {
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

    private static boolean isReadingHeaders(HttpParser parser) {
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
            // The headers arrived after all and are being answered: too late, close anyway.
            endPoint.close();
        }
    }
}
