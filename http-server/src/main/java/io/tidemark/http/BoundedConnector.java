package io.tidemark.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.internal.HttpConnection;

/**
 * Listens, and holds no more connections than {@link ConnectionTable} lets it. The client of one
 * that is refused is asked for its request, answered 429 or 503, and disconnected; when there are
 * many of those at once, further ones are disconnected without an answer.
 */
final class BoundedConnector extends ServerConnector {
    private static final int ANSWERED_AT_ONCE = 64;
    private static final long REFUSED_IDLE_MILLIS = 2_000;

    private final transient ConnectionTable<EndPoint> table;
    private final transient Set<EndPoint> ofFullClients = ConcurrentHashMap.newKeySet();
    private final transient Set<EndPoint> ofFullServer = ConcurrentHashMap.newKeySet();
    private final transient Semaphore answered = new Semaphore(ANSWERED_AT_ONCE);

    BoundedConnector(Server server, HttpConfiguration http, ConnectionLimits limits) {
        super(server, new HttpConnectionFactory(http));
        table =
                new ConnectionTable<>(
                        limits, endPoint -> endPoint.getConnection() instanceof HttpConnection);
        http.addCustomizer(this::begin);
    }

    ConnectionCounts counts() {
        return table.counts();
    }

    @Override
    protected void onEndPointOpened(EndPoint endPoint) {
        super.onEndPointOpened(endPoint);
        switch (table.opened(endPoint, endPoint.getRemoteSocketAddress())) {
            case ConnectionTable.Admission.Admitted<EndPoint> _ -> {}
            case ConnectionTable.Admission.InPlaceOf<EndPoint>(EndPoint idle) -> idle.close();
            case ConnectionTable.Admission.TooManyOfClient<EndPoint> _ ->
                    refuse(endPoint, ofFullClients);
            case ConnectionTable.Admission.TooMany<EndPoint> _ -> refuse(endPoint, ofFullServer);
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
        if (ofFullClients.remove(endPoint) || ofFullServer.remove(endPoint)) {
            answered.release();
        }
        super.onEndPointClosed(endPoint);
    }

    /** Before anything else is made of a request. */
    private Request begin(Request request, HttpFields.Mutable responseHeaders) {
        EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
        if (ofFullClients.contains(endPoint)) {
            throw new HttpException.RuntimeException(429, "too many connections of this client");
        }
        if (ofFullServer.contains(endPoint)) {
            throw new HttpException.RuntimeException(503, "too many connections");
        }
        table.began(endPoint);
        Request.addCompletionListener(request, _ -> table.ended(endPoint));
        return request;
    }
}
