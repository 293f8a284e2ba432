package io.tidemark.query.http.watch;

import io.tidemark.query.http.access.WebSocketHandshake;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.RequestOrigin;
import io.tidemark.query.http.exchange.ServingTimes;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;
import io.tidemark.serving.watch.WatchHub.Admission;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletCoreRequest;
import org.eclipse.jetty.ee10.servlet.ServletCoreResponse;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.Configuration.ConfigurationCustomizer;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.server.ServerUpgradeRequest;
import org.eclipse.jetty.websocket.core.server.ServerUpgradeResponse;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;
import org.eclipse.jetty.websocket.core.server.WebSocketNegotiator;

/**
 * Upgrades a watch request to a WebSocket. Like the API server, other requests ignore an upgrade
 * header. Frames are not compressed, as that would cost each watch a compression window.
 */
public final class WebSocketUpgrade {
    private WebSocketUpgrade() {}

    /**
     * Whether the request is to be upgraded.
     *
     * @throws StatusException 403 for a page from another host
     */
    static boolean isAllowed(Exchange exchange) {
        if (!WebSocketHandshake.isRequested(exchange)) {
            return false;
        }
        String origin = exchange.header("Origin");
        List<String> hosts = new ArrayList<>(List.of(exchange.header("Host")));
        hosts.addAll(List.of(exchange.header("X-Forwarded-Host").split(",")));
        if (!RequestOrigin.isAllowed(origin, hosts)) {
            throw new StatusException(
                    new FailureStatus(
                            403,
                            "Forbidden",
                            "a page from another host may not open a WebSocket here: its origin"
                                    + " is not that of the request"));
        }
        return true;
    }

    /**
     * Responds with 101 and returns; the watch continues on its thread.
     *
     * @param admission closed when the watch ends or does not begin
     * @throws StatusException 400 for a request that cannot become a WebSocket
     */
    static void serve(
            Exchange exchange, ServingTimes times, Admission admission, WatchSocket.Serving serving)
            throws IOException {
        WatchSocket socket = new WatchSocket(serving, admission, times.stalledClient());
        boolean upgraded = false;
        try {
            upgraded = upgrade(exchange, times, socket);
        } catch (HttpException.RuntimeException e) {
            throw StatusErrors.badRequest(String.valueOf(e.getReason()));
        } finally {
            if (!upgraded) {
                socket.abandon();
            }
        }
        if (!upgraded) {
            throw StatusErrors.badRequest("not a valid WebSocket upgrade request");
        }
        exchange.upgradedUntil(socket.end());
    }

    private static boolean upgrade(Exchange exchange, ServingTimes times, WatchSocket socket)
            throws IOException {
        if (!(exchange.attribute(UpgradeFilter.REQUEST) instanceof HttpServletRequest original)) {
            return false;
        }
        WebSocketMappings mappings =
                WebSocketMappings.ensureMappings(
                        ServletContextHandler.getServletContextHandler(
                                original.getServletContext()));
        exchange.servletResponse().setContentType(null); // There is no body.
        Request request = ServletCoreRequest.wrap(original);
        Response response = ServletCoreResponse.wrap(request, exchange.servletResponse(), false);
        // A failure before the first frame ends the request.
        Request.addCompletionListener(
                request,
                failure -> {
                    if (failure != null) {
                        socket.abandon();
                    }
                });
        try (Blocker.Callback done = Blocker.callback()) {
            boolean upgraded;
            try {
                upgraded =
                        mappings.upgrade(
                                new Negotiator(socket), request, response, done, limits(times));
            } catch (IllegalArgumentException e) {
                // Jetty's handshake parses the URI and rejects some valid keys.
                done.succeeded();
                throw StatusErrors.badRequest(
                        "a WebSocket cannot be opened for this path or query");
            }
            if (upgraded) {
                done.block();
            } else {
                done.succeeded();
            }
            return upgraded;
        }
    }

    /**
     * A frame holds a whole event of any size. Incoming frames are not collected and need no limit.
     * A client is pinged after half the timeout and has the other half to answer.
     */
    private static ConfigurationCustomizer limits(ServingTimes times) {
        ConfigurationCustomizer limits = new ConfigurationCustomizer();
        limits.setAutoFragment(true);
        limits.setMaxFrameSize(0);
        Duration half = times.stalledClient().dividedBy(2);
        limits.setIdleTimeout(half);
        return limits;
    }

    private record Negotiator(WatchSocket socket) implements WebSocketNegotiator {
        @Override
        public FrameHandler negotiate(
                ServerUpgradeRequest request, ServerUpgradeResponse response, Callback callback) {
            response.setExtensions(List.of());
            // Frames are text for any subprotocol, as the API server's are for JSON.
            request.getSubProtocols().stream()
                    .filter(offered -> !WebSocketHandshake.isToken(offered))
                    .findFirst()
                    .ifPresent(response::setAcceptedSubProtocol);
            return socket;
        }
    }
}
