package io.tidemark.query.http;

import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;
import io.tidemark.serving.watch.WatchHub.Admission;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
 * Turns the request of a watch into a WebSocket. Everywhere else an upgrade that is asked for is
 * ignored, as the API server does. Nothing is compressed: that would cost each watch a window.
 */
final class WebSocketUpgrade {
    /** How browsers, which cannot send other headers, send a token. Not to be repeated. */
    private static final String BEARER = "base64url.bearer.authorization.k8s.io.";

    private WebSocketUpgrade() {}

    /**
     * @throws StatusException 403 when a page from elsewhere asks
     */
    static boolean isAsked(Exchange exchange) {
        boolean asked =
                exchange.header("Upgrade").equalsIgnoreCase("websocket")
                        && Arrays.stream(exchange.header("Connection").split(","))
                                .anyMatch(option -> option.strip().equalsIgnoreCase("upgrade"));
        if (!asked) {
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
     * Answers 101 and returns; the watch goes on by itself.
     *
     * @param admission given back when the watch is over, or does not begin
     * @throws StatusException 400 for a request that cannot become a WebSocket
     */
    static void serve(
            Exchange exchange, ServingTimes times, Admission admission, WatchSocket.Serving serving)
            throws IOException {
        WatchSocket socket = new WatchSocket(serving, admission);
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
            throw StatusErrors.badRequest("this is not how a WebSocket is asked for");
        }
    }

    private static boolean upgrade(Exchange exchange, ServingTimes times, WatchSocket socket)
            throws IOException {
        if (!(exchange.attribute(UpgradeFilter.REQUEST) instanceof HttpServletRequest asked)) {
            return false;
        }
        WebSocketMappings mappings =
                WebSocketMappings.ensureMappings(
                        ServletContextHandler.getServletContextHandler(asked.getServletContext()));
        exchange.servletResponse().setContentType(null); // There is no body of any type.
        Request request = ServletCoreRequest.wrap(asked);
        Response response = ServletCoreResponse.wrap(request, exchange.servletResponse(), false);
        // What fails from here on, before the first frame, ends the request.
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
                // The handshake takes the URI and its values apart, and not all of ours are for it.
                done.succeeded();
                throw StatusErrors.badRequest(
                        "no WebSocket can be opened for such a path or value");
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
     * A frame holds a whole event, however large. What comes in is not gathered, and so needs no
     * limit. A client is asked after half the time, and has the other half to answer.
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
            // Frames are text whatever is chosen: the API server's are, since JSON is.
            request.getSubProtocols().stream()
                    .filter(offered -> !offered.toLowerCase(Locale.ROOT).startsWith(BEARER))
                    .findFirst()
                    .ifPresent(response::setAcceptedSubProtocol);
            return socket;
        }
    }
}
