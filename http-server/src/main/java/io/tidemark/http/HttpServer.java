package io.tidemark.http;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The HTTP stack of nodes, peers and connectors: a virtual thread per request, small buffers, and
 * bounds on input. The caller adds the routes.
 */
public final class HttpServer implements AutoCloseable {
    /** A watch holds one buffer for as long as it is open; lists bring their own. */
    private static final int OUTPUT_BUFFER = 8 << 10;

    /** Longest time for a request line and its headers to arrive. */
    private static final Duration LONGEST_HEAD = Duration.ofSeconds(30);

    /** The attribute that a route sets to true, if it records the request itself. */
    public static final String ROUTED = HttpServer.class.getName() + ".routed";

    /** What Jetty says for a URI that it cannot parse. */
    private static final String UNREADABLE = "/badMessage";

    private final Javalin javalin;
    private volatile Supplier<ConnectionCounts> connections = () -> ConnectionCounts.NONE;

    /**
     * @param refusal the body of errors that Jetty answers by itself, such as too long headers
     * @param routes adds the handlers, and other settings of Javalin that they need
     */
    public HttpServer(
            HttpServerSettings settings, ErrorBody refusal, Consumer<JavalinConfig> routes) {
        this.javalin =
                Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.startup.showOldJavalinVersionWarning = false;
                    config.startup.startupWatcherEnabled = false;
                    config.concurrency.useVirtualThreads = true;
                    config.http.compressionStrategy = CompressionStrategy.NONE;
                    config.http.generateEtags = false;
                    configureJetty(config, settings, refusal);
                    config.routes.exception(RuntimeException.class, UnhandledFailures::answer);
                    routes.accept(config);
                });
    }

    public void start() {
        FirstRequest.passTo(javalin.javalinServlet());
        javalin.start();
    }

    public int port() {
        return javalin.port();
    }

    /** The current connections. */
    public ConnectionCounts connections() {
        return connections.get();
    }

    /** Closes the listening sockets: the kernel refuses new connections from now on. */
    public void stopListening() {
        for (Connector connector : javalin.jettyServer().server().getConnectors()) {
            if (connector instanceof NetworkConnector listening) {
                listening.close();
            }
        }
    }

    @Override
    public void close() {
        javalin.stop();
    }

    private void configureJetty(
            JavalinConfig config, HttpServerSettings settings, ErrorBody refusal) {
        config.jetty.host = settings.host();
        config.jetty.port = settings.port();
        config.jetty.modifyHttpConfiguration(http -> configureHttp(http, settings));
        config.jetty.modifyServer(server -> {
            server.setStopTimeout(0); // The caller has drained requests before.
            server.setErrorHandler(
                    (request, response, callback) -> refuse(request, response, callback, refusal));
        });
        // An empty path means the root, without a redirect.
        config.jetty.modifyServletContextHandler(
                context -> context.setAllowNullPathInContext(true));
        config.jetty.addConnector((server, http) -> {
            Protocols protocols = Protocols.of(http, settings.tls());
            BoundedConnector connector =
                    new BoundedConnector(
                            server, http, settings.connections(), protocols.factories());
            protocols
                    .tlsContexts()
                    .ifPresent(contexts ->
                            connector.addBean(
                                    new TlsReload(
                                            connector, contexts, settings.tls().orElseThrow())));
            connections = connector::counts;
            http.addCustomizer(new HostCheck(settings.allowedHosts()));
            connector.setHost(settings.host());
            connector.setPort(settings.port());
            connector.setIdleTimeout(idleTime(settings).toMillis());
            connector.setAcceptQueueSize(1024);
            connector.addBean(new HeaderReadTimeout(connector, headTime(settings), refusal));
            return connector;
        });
    }

    /** Shorter than the idle timeout, which would close the connection without an answer. */
    private static Duration headTime(HttpServerSettings settings) {
        Duration half = settings.stalledClient().dividedBy(2);
        return half.compareTo(LONGEST_HEAD) < 0 ? half : LONGEST_HEAD;
    }

    /** Between requests; during a request, the timeout of {@link #configureHttp} applies. */
    private static Duration idleTime(HttpServerSettings settings) {
        Duration idle = settings.connections().idle();
        return idle.compareTo(settings.stalledClient()) < 0 ? idle : settings.stalledClient();
    }

    private static void configureHttp(HttpConfiguration http, HttpServerSettings settings) {
        http.setOutputBufferSize(OUTPUT_BUFFER);
        http.setRequestHeaderSize(settings.headerBytes());
        http.setIdleTimeout(settings.stalledClient().toMillis());
        http.setSendServerVersion(false);
        // Else a header gets the case that it had in an earlier request of its connection.
        http.setHeaderCacheCaseSensitive(true);
        // The routes parse paths, not Jetty: a key may hold any byte.
        http.setUriCompliance(UriCompliance.UNSAFE);
    }

    private static boolean refuse(
            Request request, Response response, Callback callback, ErrorBody refusal) {
        int code = code(response.getStatus());
        Object message = request.getAttribute("org.eclipse.jetty.server.error_message");
        String text = message == null ? reason(code) : message.toString();
        if (!(request.getAttribute(ROUTED) instanceof Boolean)) {
            refusal.refused(refused(request, code), text);
        }
        response.setStatus(code);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, refusal.contentType());
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        if (code == 429 || code == 503) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
        }
        response.write(true, ByteBuffer.wrap(refusal.write(code, reason(code), text)), callback);
        return true;
    }

    private static RefusedRequest refused(Request request, int code) {
        String uri = request.getHttpURI().getPathQuery();
        boolean readable = uri != null && !uri.equals(UNREADABLE);
        String agent = request.getHeaders().get(HttpHeader.USER_AGENT);
        return new RefusedRequest(
                readable ? request.getMethod() : "",
                readable ? uri : "",
                agent == null ? "" : agent,
                Request.getRemoteAddr(request),
                code);
    }

    /** Anything unintelligible is a client error, including an unknown version or encoding. */
    private static int code(int status) {
        return status < 400 || status == 501 || status == 505 ? 400 : status;
    }

    private static String reason(int code) {
        return switch (code) {
            case 403 -> "Forbidden";
            case 404 -> "NotFound";
            case 405 -> "MethodNotAllowed";
            case 413 -> "RequestEntityTooLarge";
            case 414 -> "RequestURITooLong";
            case 429 -> "TooManyRequests";
            case 431 -> "RequestHeaderFieldsTooLarge";
            case 503 -> "ServiceUnavailable";
            default -> code >= 500 ? "InternalError" : "BadRequest";
        };
    }
}
