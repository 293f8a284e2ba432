package io.tidemark.http;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.net.SocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.NegotiatingServerConnection;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.IO;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A listening connector with at most as many connections as {@link ConnectionTable} admits. On a
 * rejected connection the server reads the request, answers 429 or 503, and disconnects; when many
 * are rejected at once, it closes further ones without an answer. {@link ConnectionPace} limits how
 * fast one client may open connections.
 */
final class BoundedConnector extends ServerConnector {
    private static final int ANSWERED_AT_ONCE = 64;
    private static final long REFUSED_IDLE_MILLIS = 2_000;

    private final transient ConnectionTable<EndPoint> table;
    private final transient Set<EndPoint> overClientLimit = ConcurrentHashMap.newKeySet();
    private final transient Set<EndPoint> overServerLimit = ConcurrentHashMap.newKeySet();
    private final transient Semaphore answered = new Semaphore(ANSWERED_AT_ONCE);
    private final transient ConnectionPace pace;
    private final transient LongAdder tooFast = new LongAdder();

    /**
     * @param factories of the protocols that it speaks, that of new connections first
     */
    BoundedConnector(
            Server server,
            HttpConfiguration http,
            ConnectionLimits limits,
            ConnectionFactory... factories) {
        super(server, factories);
        pace = new ConnectionPace(limits.openedPerSecond(), limits.perClient(), System::nanoTime);
        table = new ConnectionTable<>(limits, BoundedConnector::isEvictable);
        http.addCustomizer(this::begin);
    }

    ConnectionCounts counts() {
        return table.counts().andRefused(tooFast.sum());
    }

    @Override
    protected SelectorManager newSelectorManager(
            Executor executor, Scheduler scheduler, int selectors) {
        return new PacedSelectorManager(executor, scheduler, selectors);
    }

    @Override
    protected void onEndPointOpened(EndPoint endPoint) {
        super.onEndPointOpened(endPoint);
        switch (table.opened(endPoint, endPoint.getRemoteSocketAddress())) {
            case ConnectionTable.Admission.Admitted<EndPoint> _ -> {}
            case ConnectionTable.Admission.InPlaceOf<EndPoint>(EndPoint idle) -> idle.close();
            case ConnectionTable.Admission.TooManyOfClient<EndPoint> _ ->
                    refuse(endPoint, overClientLimit);
            case ConnectionTable.Admission.TooMany<EndPoint> _ -> refuse(endPoint, overServerLimit);
        }
    }

    private void refuse(EndPoint endPoint, Set<EndPoint> why) {
        if (answered.tryAcquire()) {
            why.add(endPoint);
            endPoint.setIdleTimeout(REFUSED_IDLE_MILLIS);
        } else {
            endPoint.close();
        }
    }

    @Override
    protected void onEndPointClosed(EndPoint endPoint) {
        table.closed(endPoint);
        if (overClientLimit.remove(endPoint) || overServerLimit.remove(endPoint)) {
            answered.release();
        }
        super.onEndPointClosed(endPoint);
    }

    /** Runs before any other processing of a request. */
    private Request begin(Request request, HttpFields.Mutable responseHeaders) {
        EndPoint endPoint = socketOf(request.getConnectionMetaData().getConnection().getEndPoint());
        if (overClientLimit.contains(endPoint)) {
            throw new HttpException.RuntimeException(429, "too many connections of this client");
        }
        if (overServerLimit.contains(endPoint)) {
            throw new HttpException.RuntimeException(503, "too many connections");
        }
        table.began(endPoint);
        Request.addCompletionListener(request, _ -> table.ended(endPoint));
        return request;
    }

    /** An upgraded connection, such as a WebSocket, is in use although no request is in flight. */
    private static boolean isEvictable(EndPoint endPoint) {
        return switch (endPoint.getConnection()) {
            case HttpConnection _, HTTP2Connection _, NegotiatingServerConnection _ -> true;
            case SslConnection tls -> isEvictable(tls.getSslEndPoint());
            case null, default -> false;
        };
    }

    /** The connection to the client: TLS wraps it. */
    private static EndPoint socketOf(EndPoint endPoint) {
        return endPoint instanceof EndPoint.Wrapper wrapper ? socketOf(wrapper.unwrap()) : endPoint;
    }

    /**
     * Delays a connection that exceeds its client's rate, before any state is created for it;
     * closes it when the delay would be too long.
     */
    private final class PacedSelectorManager extends ServerConnectorManager {
        PacedSelectorManager(Executor executor, Scheduler scheduler, int selectors) {
            super(executor, scheduler, selectors);
        }

        @Override
        public void accept(SelectableChannel channel, Object attachment) {
            SocketAddress client = ((SocketChannel) channel).socket().getRemoteSocketAddress();
            OptionalLong wait = pace.waitOf(ConnectionTable.addressOf(client));
            if (wait.isEmpty()) {
                tooFast.increment();
                IO.close(channel);
            } else if (wait.getAsLong() == 0) {
                super.accept(channel, attachment);
            } else {
                getScheduler()
                        .schedule(
                                () -> acceptDelayed(channel, attachment),
                                wait.getAsLong(),
                                NANOSECONDS);
            }
        }

        private void acceptDelayed(SelectableChannel channel, Object attachment) {
            if (isRunning()) {
                super.accept(channel, attachment);
            } else {
                IO.close(channel);
            }
        }
    }
}
