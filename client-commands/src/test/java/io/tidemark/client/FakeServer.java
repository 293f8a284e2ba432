package io.tidemark.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** A server with programmed responses; discovery has pods, deployments and nodes. */
final class FakeServer implements AutoCloseable {
    private static final String DISCOVERY =
            """
            {"items":[{"metadata":{%s},"versions":[{"version":"v1","resources":[%s]}]}]}
            """;

    private final HttpServer server;
    private final Map<String, Deque<Reply>> replies = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private record Reply(int status, String body, String retryAfter) {}

    FakeServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
        String pods = resource("pods", "pod", "Pod", "Namespaced", "po");
        String nodes = resource("nodes", "node", "Node", "Cluster", "no");
        on("/api", 200, DISCOVERY.formatted("", pods + "," + nodes));
        String deployments =
                resource("deployments", "deployment", "Deployment", "Namespaced", "deploy");
        on("/apis", 200, DISCOVERY.formatted("\"name\":\"apps\"", deployments));
    }

    private static String resource(
            String plural, String singular, String kind, String scope, String shortName) {
        return """
        {"resource":"%s","singularResource":"%s","responseKind":{"kind":"%s"},"scope":"%s",\
        "shortNames":["%s"]}\
        """
                .formatted(plural, singular, kind, scope, shortName);
    }

    /** Adds a reply. Several replies to one request are sent in order; the last one repeats. */
    FakeServer on(String path, int status, String body) {
        return on(path, new Reply(status, body, ""));
    }

    /** Adds a refusal that asks for a retry. */
    FakeServer busy(String path, int status, String retryAfter) {
        return on(path, new Reply(status, "{\"message\":\"busy\"}", retryAfter));
    }

    private FakeServer on(String path, Reply reply) {
        replies.computeIfAbsent(path, _ -> new ArrayDeque<>()).add(reply);
        return this;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The received paths with queries, without discovery. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString();
        if (!path.equals("/api") && !path.equals("/apis")) {
            requests.add(path);
        }
        Deque<Reply> prepared = replies.getOrDefault(path, new ArrayDeque<>());
        Reply reply =
                prepared.size() > 1
                        ? prepared.remove()
                        : prepared.isEmpty()
                                ? new Reply(404, "{\"message\":\"nothing for " + path + "\"}", "")
                                : prepared.element();
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        if (!reply.retryAfter().isEmpty()) {
            exchange.getResponseHeaders().set("Retry-After", reply.retryAfter());
        }
        exchange.sendResponseHeaders(reply.status(), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
