package io.tidemark.connector.http;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.connector.check.EtcdDigests;
import io.tidemark.connector.http.Barriers.Barrier;
import io.tidemark.connector.http.Barriers.BarrierException;
import io.tidemark.connector.metrics.ConnectorMetrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves barriers, liveness, readiness and metrics, each request on a virtual thread.
 *
 * <pre>
 * GET, POST /barrier   200 {"revision":N,"epoch":E}, or 503 {"error":"..."} within 3 s
 * POST /relist?epoch=N  200 {"epoch":M}: M is written now. When it is N, all of it is told again
 *                in a new epoch, once a minute at most; 503 when this connector does not lead
 * GET /livez           200 unless the connector has ended for good
 * GET /readyz          200 or 503; ?verbose lists what was looked at
 * GET /status          where it stands, as JSON
 * GET /metrics         Prometheus text
 * GET /digest…         what etcd holds, summed up; see {@link DigestPages}
 * </pre>
 */
public final class ConnectorHttp implements AutoCloseable {
    private static final Pattern RELIST = Pattern.compile("epoch=(\\d{1,18})&partition=(\\d{1,9})");

    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";

    /** Connections that wait to be accepted. */
    private static final int BACKLOG = 256;

    private final ConnectorMetrics metrics;
    private final HttpServer server;
    private final ExecutorService executor =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("tidemark-connector-http-", 0).factory());

    /** What the connector says of itself. */
    public interface Health {
        boolean alive();

        List<HealthCheck> checks();
    }

    /** Has everything told again. */
    @FunctionalInterface
    public interface Lists {
        /**
         * @param epoch of which something is lost
         * @return the epoch that is written now; empty when none is
         */
        OptionalLong relist(long epoch, String why);
    }

    /** An answer to be sent. */
    private record Answer(int status, String contentType, String body) {}

    /** Makes the answer to a request. */
    @FunctionalInterface
    private interface Endpoint {
        Answer answer(HttpExchange exchange) throws InterruptedException;
    }

    /**
     * Takes the address; nothing is answered before {@link #start}.
     *
     * @param address port 0 picks a free one
     * @throws UncheckedIOException when the address cannot be listened on
     */
    public ConnectorHttp(InetSocketAddress address, ConnectorMetrics metrics) {
        this.metrics = metrics;
        try {
            server = HttpServer.create(address, BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot listen on %s:%d: %s"
                            .formatted(address.getHostString(), address.getPort(), e.getMessage()),
                    e);
        }
        server.setExecutor(executor);
    }

    /**
     * @param status where it stands, as JSON
     * @param digests null when the self-check is off
     */
    public void start(
            Barriers barriers,
            Lists lists,
            Health health,
            Supplier<String> status,
            Supplier<String> metricsText,
            @Nullable EtcdDigests digests) {
        server.createContext("/digest", new DigestPages(digests)::handle);
        route("/barrier", _ -> barrier(barriers));
        route("/relist", exchange -> relist(lists, exchange.getRequestURI().getQuery()));
        route("/livez", _ -> livez(health));
        route("/readyz", exchange -> readyz(health, exchange.getRequestURI().getQuery()));
        route("/status", _ -> new Answer(200, JSON, status.get()));
        route("/metrics", _ -> new Answer(200, TEXT, metricsText.get()));
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private void route(String path, Endpoint endpoint) {
        server.createContext(
                path,
                exchange -> {
                    try (exchange) {
                        if (!exchange.getRequestURI().getPath().equals(path)) {
                            send(exchange, new Answer(404, TEXT, "no such page\n"));
                            return;
                        }
                        String method = exchange.getRequestMethod();
                        if (!methods(path).contains(method)) {
                            send(exchange, new Answer(405, TEXT, "not a way to ask for this\n"));
                            return;
                        }
                        send(exchange, endpoint.answer(exchange));
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    private static Set<String> methods(String path) {
        return switch (path) {
            case "/barrier" -> Set.of("GET", "POST");
            case "/relist" -> Set.of("POST");
            default -> Set.of("GET");
        };
    }

    private static Answer relist(Lists lists, @Nullable String query) {
        Matcher wanted = RELIST.matcher(query == null ? "" : query);
        if (!wanted.matches()) {
            return new Answer(400, TEXT, "which epoch?\n");
        }
        String why = "a node lacks records of partition " + wanted.group(2);
        OptionalLong now = lists.relist(Long.parseLong(wanted.group(1)), why);
        return now.isPresent()
                ? new Answer(200, JSON, "{\"epoch\":%d}".formatted(now.getAsLong()))
                : new Answer(503, JSON, "{\"error\":\"no such epoch is written here\"}");
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", answer.contentType());
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private Answer barrier(Barriers barriers) throws InterruptedException {
        long began = System.nanoTime();
        try {
            Barrier barrier = barriers.await();
            metrics.barrier(Duration.ofNanos(System.nanoTime() - began));
            metrics.etcdSeen(barrier.revision());
            return new Answer(
                    200,
                    JSON,
                    "{\"revision\":%d,\"epoch\":%d}"
                            .formatted(barrier.revision(), barrier.epoch()));
        } catch (BarrierException e) {
            metrics.barrierFailed();
            String why = String.valueOf(e.getMessage());
            return new Answer(
                    503,
                    JSON,
                    "{\"error\":\""
                            + new String(JsonStringEncoder.getInstance().quoteAsString(why))
                            + "\"}");
        }
    }

    private static Answer livez(Health health) {
        return health.alive() ? new Answer(200, TEXT, "ok\n") : new Answer(503, TEXT, "ended\n");
    }

    private static Answer readyz(Health health, @Nullable String query) {
        List<HealthCheck> checks = health.checks();
        boolean ready = checks.stream().allMatch(HealthCheck::ok);
        StringBuilder body = new StringBuilder();
        if (!ready || (query != null && query.contains("verbose"))) {
            checks.forEach(check -> body.append(check.line()));
        }
        body.append(ready ? "ok\n" : "not ready\n");
        return new Answer(ready ? 200 : 503, TEXT, body.toString());
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
