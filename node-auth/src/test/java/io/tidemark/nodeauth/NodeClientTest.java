package io.tidemark.nodeauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.address.HttpAddress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeClientTest {
    private static final PeerSecrets SECRETS =
            PeerSecrets.of(new PeerSecret("a-secret-for-tests-only"));
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final NodeRequest REQUEST = NodeRequest.get("/answer");

    private final AtomicInteger handshakes = new AtomicInteger();
    private final NodeClient client = new NodeClient(SECRETS);
    private volatile boolean forging;
    private HttpServer server;
    private HttpAddress address;
    private ServerSessions sessions;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        address = new HttpAddress("http", "127.0.0.1", server.getAddress().getPort());
        sessions = new ServerSessions(SECRETS, () -> address);
        server.createContext("/", this::handle);
        server.start();
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try {
            byte[] body = exchange.getRequestBody().readAllBytes();
            switch (exchange.getRequestURI().getPath()) {
                case NodeAuthProtocol.HELLO -> send(exchange, sessions.hello(body));
                case NodeAuthProtocol.OPEN -> {
                    sessions.open(body);
                    handshakes.incrementAndGet();
                    exchange.sendResponseHeaders(204, -1);
                }
                default -> {
                    exchange.getResponseHeaders()
                            .set(NodeAuthProtocol.HEADER, NodeAuthProtocol.CHUNKS);
                    send(exchange, answer(exchange));
                }
            }
        } catch (RefusedException e) {
            exchange.sendResponseHeaders(e.status(), -1);
        } finally {
            exchange.close();
        }
    }

    private static void send(HttpExchange exchange, byte[] body) throws IOException {
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    private byte[] answer(HttpExchange exchange) throws IOException, RefusedException {
        String proof = exchange.getRequestHeaders().getFirst(NodeAuthProtocol.HEADER);
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        try (OutputStream out = sessions.begin(proof).verify(REQUEST).sign(wire, 200)) {
            out.write("answer".getBytes(StandardCharsets.UTF_8));
        }
        byte[] bytes = wire.toByteArray();
        if (forging) {
            bytes[Integer.BYTES] ^= 1; // The first byte of the first chunk.
        }
        return bytes;
    }

    private String ask() throws Exception {
        return new String(client.ask(address, REQUEST, SOON, 100).body(), StandardCharsets.UTF_8);
    }

    private String read() throws Exception {
        try (InputStream in = client.stream(address, REQUEST, SOON)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void keepsASession() throws Exception {
        assertThat(ask()).isEqualTo("answer");
        assertThat(read()).isEqualTo("answer");
        assertThat(handshakes).hasValue(1);
    }

    @Test
    void dropsASessionWithAForgedAnswer() throws Exception {
        forging = true;
        assertThatThrownBy(this::ask).isInstanceOf(UnverifiedPeerException.class);
        forging = false;
        assertThat(ask()).isEqualTo("answer");
        assertThat(handshakes).hasValue(2);
    }

    @Test
    void dropsASessionWithAForgedStream() throws Exception {
        forging = true;
        assertThatThrownBy(this::read).isInstanceOf(UnverifiedPeerException.class);
        forging = false;
        assertThat(read()).isEqualTo("answer");
        assertThat(handshakes).hasValue(2);
    }
}
