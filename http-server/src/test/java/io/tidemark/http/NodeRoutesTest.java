package io.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.address.HttpAddress;
import io.tidemark.http.testing.RawHttp;
import io.tidemark.http.testing.RawResponse;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.http.testing.TestHttpClient.Answer;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.NodeRequest;
import io.tidemark.nodeauth.PeerSecret;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.nodeauth.ServerSessions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeRoutesTest {
    private static final PeerSecret SECRET = new PeerSecret("a-secret-for-tests-only");
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int MAX_BODY = 1_000;

    private final AtomicInteger handled = new AtomicInteger();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private TestHttpClient http;
    private HttpAddress address;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = new HttpAddress("http", "127.0.0.1", socket.getLocalPort());
        }
        server = server();
        http = new TestHttpClient(address.toString());
        opened.add(http);
    }

    private HttpServer server() {
        HttpServer started =
                new HttpServer(
                        new HttpServerSettings(
                                address.host(),
                                address.port(),
                                HttpServerSettings.HEADER_BYTES,
                                Duration.ofMinutes(1)),
                        ErrorBody.TEXT,
                        config -> {
                            NodeRoutes nodes =
                                    new NodeRoutes(
                                            new ServerSessions(
                                                    PeerSecrets.of(SECRET), () -> address));
                            nodes.addTo(config);
                            config.routes.post("/echo", nodes.authenticated(MAX_BODY, this::echo));
                            config.routes.get("/stream", nodes.authenticated(0, this::stream));
                            config.routes.get("/open", context -> context.result("open"));
                        });
        started.start();
        opened.add(started);
        return started;
    }

    private void echo(NodeExchange exchange) throws IOException {
        handled.incrementAndGet();
        exchange.answer(200, exchange.body());
    }

    private void stream(NodeExchange exchange) throws IOException {
        try (OutputStream out = exchange.begin(200)) {
            for (int i = 0; i < 200_000; i++) {
                out.write("a line\n".getBytes(StandardCharsets.UTF_8));
                if (i % 777 == 0) {
                    out.flush();
                }
            }
        }
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    private NodeClient client(PeerSecret secret) {
        NodeClient client = new NodeClient(PeerSecrets.of(secret));
        opened.add(client);
        return client;
    }

    private static NodeRequest echoOf(String text) {
        return NodeRequest.post("/echo?a=%20b", text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void answersNodesOfTheGroup() throws Exception {
        NodeClient client = client(SECRET);
        for (String text : List.of("", "x", "y".repeat(MAX_BODY))) {
            NodeClient.Answer answer = client.ask(address, echoOf(text), SOON, MAX_BODY);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).asString().isEqualTo(text);
        }
        try (InputStream lines = client.stream(address, NodeRequest.get("/stream"), SOON)) {
            assertThat(lines.readAllBytes()).hasSize(200_000 * 7);
        }
        assertThatThrownBy(() -> client.ask(address, NodeRequest.get("/stream"), SOON, 1_000))
                .isInstanceOf(IOException.class);
    }

    @Test
    void refusesUnauthenticatedRequests() throws Exception {
        assertThat(http.send(http.request("/echo").POST(BodyPublishers.ofString("x"))))
                .returns(401, Answer::status);
        assertThat(http.get("/stream", "Authorization", "Bearer " + SECRET.text()))
                .returns(401, Answer::status);
        assertThatThrownBy(() ->
                        client(new PeerSecret("another-secret-for-tests"))
                                .ask(address, echoOf("x"), SOON, 100))
                .hasMessage("the server does not know the peer secret");
        assertThat(handled).hasValue(0);
    }

    @Test
    void refusesWebPagesEverywhere() throws Exception {
        for (String path : List.of("/open", "/stream", "/node-auth/v1/hello", "/nothing")) {
            assertThat(http.get(path, "Origin", "http://" + address.hostPort()))
                    .returns(403, Answer::status);
        }
        assertThat(http.get("/open")).returns(200, Answer::status);
    }

    @Test
    void limitsBodiesAndReadsNoneOfUnauthenticatedRequests() throws Exception {
        String head =
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\nTidemark-Proof: %s 1 %s\r\n\r\n"
                        .formatted("0".repeat(32), "0".repeat(64));
        try (RawHttp connection = RawHttp.connect(address.toString())) {
            connection.send(head); // And not the body.
            assertThat(connection.response().status()).isEqualTo(401);
        }
        String tooLong = "x".repeat(MAX_BODY + 1);
        assertThatThrownBy(() -> client(SECRET).ask(address, echoOf(tooLong), SOON, MAX_BODY))
                .hasMessageContaining("413");
        assertThat(
                        http.send(
                                http.request("/node-auth/v1/hello")
                                        .POST(BodyPublishers.ofString("x".repeat(2_000)))))
                .returns(413, Answer::status);
        assertThat(handled).hasValue(0);
    }

    @Test
    void abortsASlowHandshake() throws Exception {
        String head =
                "POST /node-auth/v1/hello HTTP/1.1\r\n"
                        + "Host: localhost\r\n"
                        + "Content-Length: 1000\r\n\r\n";
        // Each pause is shorter than the idle timeout.
        Duration pause = Duration.ofMillis(100);
        try (RawHttp connection =
                RawHttp.connect(address.toString(), RawHttp.Options.DEFAULT.withSilence(pause))) {
            connection.send(head);
            Optional<RawResponse> response = Optional.empty();
            while (response.isEmpty()) {
                connection.send("x");
                try {
                    response = Optional.of(connection.response());
                } catch (SocketTimeoutException _) {
                    // Not yet.
                }
            }
            assertThat(response.get().status()).isEqualTo(408);
        }
    }

    @Test
    void repeatsTheHandshakeAfterAServerRestart() throws Exception {
        NodeClient client = client(SECRET);
        client.ask(address, echoOf("x"), SOON, 100);
        server.close();
        server();
        assertThat(client.ask(address, echoOf("y"), SOON, 100).body()).asString().isEqualTo("y");
    }
}
