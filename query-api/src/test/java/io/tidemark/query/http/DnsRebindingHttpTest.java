package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.http.AllowedHosts;
import io.tidemark.http.testing.RawHttp;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.RawSocket;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page of evil.example, whose name resolves to the node, sends requests to the node. */
class DnsRebindingHttpTest {
    private static final String WATCH = "/api/v1/pods?watch=1&resourceVersion=100";

    private static QueryNodeFixture fixture;

    @BeforeAll
    static void startNode() {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        cluster.pod("a", "hidden-pod", Map.of());
        fixture =
                new QueryNodeFixture(
                        cluster,
                        config ->
                                config.withAllowedHosts(
                                        AllowedHosts.of("0.0.0.0").and(List.of("node"))));
    }

    @AfterAll
    static void stopNode() {
        fixture.close();
    }

    private static String get(String path, String host) throws IOException {
        return RawHttp.exchange(
                fixture.url,
                "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(path, host));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/pods",
                "/api/v1/namespaces/a/pods/hidden-pod",
                WATCH,
                "/kv/registry/",
                "/cluster",
                "/metrics",
                "/readyz?verbose",
                "/nowhere"
            })
    void readsNothing(String path) throws Exception {
        String answer = get(path, "evil.example:8080");

        assertThat(answer).startsWith("HTTP/1.1 403 Forbidden\r\n").doesNotContain("hidden-pod");
        JsonNode status =
                new ObjectMapper().readTree(answer.substring(answer.indexOf("\r\n\r\n") + 4));
        assertThat(status.path("kind").asText()).isEqualTo("Status");
        assertThat(status.path("code").asInt()).isEqualTo(403);
        assertThat(status.path("reason").asText()).isEqualTo("Forbidden");
        assertThat(status.path("message").asText())
                .contains("'evil.example'", "IP address", "--allowed-host");
    }

    @Test
    void opensNoWebSocket() throws Exception {
        int port = URI.create(fixture.url).getPort();
        String page = "http://evil.example:" + port;
        try (RawSocket socket =
                new RawSocket(
                        fixture.url,
                        "evil.example:" + port,
                        WATCH,
                        RawSocket.handshake("Origin: " + page))) {
            assertThat(socket.head()).startsWith("HTTP/1.1 403 Forbidden\r\n");
        }
        try (RawSocket socket =
                new RawSocket(
                        fixture.url,
                        "node:" + port,
                        WATCH,
                        RawSocket.handshake("Origin: http://node:" + port))) {
            assertThat(socket.head()).startsWith("HTTP/1.1 101 ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "node:8080",
                "NODE.",
                "localhost:8080",
                "10.244.0.17:8080",
                "[fd00::17]:8080"
            })
    void acceptsItsNamesAndAnyAddress(String host) throws Exception {
        assertThat(get("/readyz", host)).startsWith("HTTP/1.1 200 ");
        assertThat(get("/api/v1/pods", host))
                .startsWith("HTTP/1.1 200 ")
                .contains("\"hidden-pod\"");
    }
}
