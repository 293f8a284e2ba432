package io.tidemark.query.http;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.tidemark.query.status.StatusException.Refusal;
import io.tidemark.query.status.StatusWriter;
import jakarta.servlet.DispatcherType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** The HTTP server: a virtual thread for each request, small buffers, bounds on what comes in. */
public final class HttpServer implements AutoCloseable {
    /** A watch holds one for as long as it is open; lists bring their own. */
    private static final int OUTPUT_BUFFER = 8 << 10;

    /** For a request line and its headers to arrive in. */
    private static final Duration LONGEST_HEAD = Duration.ofSeconds(30);

    private final Javalin javalin;

    /**
     * @param host and {@code port} to listen on, port 0 for any free one
     */
    public HttpServer(
            String host, int port, ServingLimits limits, ServingTimes times, Routes routes) {
        this.javalin =
                Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.startup.showOldJavalinVersionWarning = false;
                    config.startup.startupWatcherEnabled = false;
                    config.concurrency.useVirtualThreads = true;
                    config.http.compressionStrategy = CompressionStrategy.NONE;
                    config.http.generateEtags = false;
                    configureJetty(config, host, port, limits, times);
                    routes.addTo(config);
                });
    }

    public void start() {
        javalin.start();
    }

    public int port() {
        return javalin.port();
    }

    /** Listens no more: who comes now is told by the machine that nobody is here. */
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

    private static void configureJetty(
            JavalinConfig config, String host, int port, ServingLimits limits, ServingTimes times) {
        config.jetty.host = host;
        config.jetty.port = port;
        config.jetty.modifyHttpConfiguration(http -> configureHttp(http, limits, times));
        config.jetty.modifyServer(HttpServer::configureServer);
        config.jetty.modifyServletContextHandler(context -> {
            // An empty path means the root; it is no reason to send the client elsewhere.
            context.setAllowNullPathInContext(true);
            context.addFilter(new UpgradeFilter(), "/*", EnumSet.of(DispatcherType.REQUEST));
        });
        config.jetty.addConnector((server, http) -> {
            ServerConnector connector =
                    new ServerConnector(server, new HttpConnectionFactory(http));
            connector.setHost(host);
            connector.setPort(port);
            connector.setIdleTimeout(times.stalledClient().toMillis());
            connector.setAcceptQueueSize(1024);
            connector.addBean(new SlowHeads(connector, headTime(times)));
            return connector;
        });
    }

    /** Before the silence of a client ends its connection without a word. */
    private static Duration headTime(ServingTimes times) {
        Duration half = times.stalledClient().dividedBy(2);
        return half.compareTo(LONGEST_HEAD) < 0 ? half : LONGEST_HEAD;
    }

    private static void configureHttp(
            HttpConfiguration http, ServingLimits limits, ServingTimes times) {
        http.setOutputBufferSize(OUTPUT_BUFFER);
        http.setRequestHeaderSize(limits.headerBytes());
        http.setIdleTimeout(times.stalledClient().toMillis());
        http.setSendServerVersion(false);
        // Paths are taken apart here, not by Jetty: a key may hold any byte.
        http.setUriCompliance(UriCompliance.UNSAFE);
    }

    private static void configureServer(Server server) {
        server.setStopTimeout(0); // Who stops it has waited for what is being answered.
        server.setErrorHandler(HttpServer::answerBadRequest);
    }

    /** What Jetty refuses by itself, such as headers that are too long, is a Status too. */
    private static boolean answerBadRequest(Request request, Response response, Callback callback) {
        int code = code(response.getStatus());
        Object message = request.getAttribute("org.eclipse.jetty.server.error_message");
        Refusal refusal =
                new Refusal(
                        code, reason(code), message == null ? reason(code) : message.toString());
        response.setStatus(code);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        byte[] body = StatusWriter.write(refusal);
        response.write(true, ByteBuffer.wrap(body), callback);
        return true;
    }

    /**
     * What cannot be understood is the client's fault, also a version or an encoding of its own.
     */
    private static int code(int status) {
        return status < 400 || status == 501 || status == 505 ? 400 : status;
    }

    private static String reason(int code) {
        return switch (code) {
            case 404 -> "NotFound";
            case 405 -> "MethodNotAllowed";
            case 413 -> "RequestEntityTooLarge";
            case 414 -> "RequestURITooLong";
            case 431 -> "RequestHeaderFieldsTooLarge";
            case 503 -> "ServiceUnavailable";
            default -> code >= 500 ? "InternalError" : "BadRequest";
        };
    }
}
