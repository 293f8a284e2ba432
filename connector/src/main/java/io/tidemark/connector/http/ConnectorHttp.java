package io.tidemark.connector.http;

import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.tidemark.connector.check.EtcdDigests;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.credentials.MutualTls;
import io.tidemark.http.AllowedHosts;
import io.tidemark.http.ErrorBody;
import io.tidemark.http.HttpServer;
import io.tidemark.http.HttpServerSettings;
import io.tidemark.http.NodeRoutes;
import io.tidemark.http.metrics.MetricsRegistry;
import io.tidemark.nodeauth.NodeAuthProtocol;
import io.tidemark.nodeauth.ServerSessions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The connector's HTTP server. The first four endpoints answer only nodes of its group, see {@link
 * NodeRoutes}; none answers requests of web pages.
 *
 * <pre>
 * POST /barrier          200 {"revision":N,"epoch":E}, or 503 {"error":"..."} within 3 s
 * POST /relist?epoch=N&amp;partition=P
 *                        200 {"epoch":M}: M is written now. When it is N, the connector relists
 *                        etcd in a new epoch, at most once a minute; 503 when this connector does
 *                        not lead
 * GET /digest, /digest/keys  digests of what etcd holds; see {@link DigestEndpoints}
 * GET /status            the connector's status as JSON; authenticated when a node asks
 * GET /livez             200 unless the connector has ended for good
 * GET /readyz            200 or 503; ?verbose lists the checks
 * GET /metrics           Prometheus text
 * </pre>
 */
public final class ConnectorHttp implements AutoCloseable {
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";

    /** Closes a connection without traffic for this long; nodes close theirs earlier. */
    private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(1);

    private final String host;
    private final int configuredPort;
    private final HttpServer server;

    /** The connector's health checks. */
    public interface Health {
        boolean alive();

        List<HealthCheck> checks();
    }

    /** Relists etcd. */
    @FunctionalInterface
    public interface Relister {
        /**
         * @param epoch of which records were lost
         * @return the epoch that is written now; empty when none is
         */
        OptionalLong relist(long epoch, String why);
    }

    /**
     * What the endpoints serve.
     *
     * @param status the connector's status, as JSON
     * @param digests null when the self-check is off
     */
    public record ConnectorServices(
            Barriers barriers,
            Relister lists,
            Health health,
            Supplier<String> status,
            UnaryOperator<String> metricsText,
            @Nullable EtcdDigests digests) {}

    /**
     * @param port 0 picks a free one
     * @param sessions authenticates the nodes
     * @param tls between the members of the group; empty for plain HTTP
     */
    public ConnectorHttp(
            String host,
            int port,
            AllowedHosts allowedHosts,
            ServerSessions sessions,
            Optional<MutualTls> tls,
            ConnectorServices services,
            ConnectorMetrics metrics) {
        this.host = host;
        this.configuredPort = port;
        HttpServerSettings plain =
                new HttpServerSettings(host, port, HttpServerSettings.HEADER_BYTES, IDLE_TIMEOUT)
                        .withAllowedHosts(allowedHosts);
        this.server =
                new HttpServer(
                        tls.map(secured -> plain.withTls(secured.listening())).orElse(plain),
                        ErrorBody.TEXT,
                        config ->
                                addRoutes(
                                        config, new NodeRoutes(sessions, tls), services, metrics));
    }

    private static void addRoutes(
            JavalinConfig config,
            NodeRoutes nodes,
            ConnectorServices services,
            ConnectorMetrics metrics) {
        config.http.prefer405over404 = true;
        nodes.addTo(config);
        NodeEndpoints nodeEndpoints =
                new NodeEndpoints(services.barriers(), services.lists(), metrics);
        config.routes.post("/barrier", nodes.authenticated(0, nodeEndpoints::barrier));
        config.routes.post("/relist", nodes.authenticated(0, nodeEndpoints::relist));
        DigestEndpoints digests = new DigestEndpoints(services.digests());
        config.routes.get("/digest", nodes.authenticated(0, digests::newest));
        config.routes.get("/digest/keys", nodes.authenticated(0, digests::keys));
        Handler authenticatedStatus =
                nodes.authenticated(0, exchange -> exchange.answer(200, services.status().get()));
        config.routes.get(
                "/status",
                context -> {
                    if (context.header(NodeAuthProtocol.HEADER) == null) {
                        answer(context, 200, JSON, services.status().get());
                    } else {
                        authenticatedStatus.handle(context);
                    }
                });
        config.routes.get("/livez", context -> livez(context, services.health()));
        config.routes.get("/readyz", context -> readyz(context, services.health()));
        config.routes.get(
                "/metrics",
                context -> {
                    String accept = Objects.requireNonNullElse(context.header("Accept"), "");
                    answer(
                            context,
                            200,
                            MetricsRegistry.contentType(accept),
                            services.metricsText().apply(accept));
                });
    }

    /**
     * Starts to listen and to answer.
     *
     * @throws UncheckedIOException when the address cannot be listened on
     */
    public void start() {
        try {
            server.start();
        } catch (RuntimeException e) {
            throw new UncheckedIOException(
                    new IOException("cannot listen on %s:%d".formatted(host, configuredPort), e));
        }
    }

    public int port() {
        return server.port();
    }

    private static void livez(Context context, Health health) {
        boolean alive = health.alive();
        answer(context, alive ? 200 : 503, TEXT, alive ? "ok\n" : "ended\n");
    }

    private static void readyz(Context context, Health health) {
        List<HealthCheck> checks = health.checks();
        boolean ready = checks.stream().allMatch(HealthCheck::ok);
        StringBuilder body = new StringBuilder();
        if (!ready || context.queryParam("verbose") != null) {
            checks.forEach(check -> body.append(check.line()));
        }
        body.append(ready ? "ok\n" : "not ready\n");
        answer(context, ready ? 200 : 503, TEXT, body.toString());
    }

    private static void answer(Context context, int status, String type, String body) {
        context.status(status).contentType(type).result(body);
    }

    @Override
    public void close() {
        server.close();
    }
}
