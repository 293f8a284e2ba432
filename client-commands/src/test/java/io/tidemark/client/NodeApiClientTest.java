package io.tidemark.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that sends a part of its response, and never ends the connection. */
@Timeout(60)
class NodeApiClientTest {
    private final ServerSocket silent = listen();

    private static ServerSocket listen() {
        try {
            return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterEach
    void close() throws IOException {
        silent.close();
    }

    private void respond(String part) {
        Thread.startVirtualThread(() -> {
            try (Socket connection = silent.accept()) {
                connection.getOutputStream().write(part.getBytes(UTF_8));
                connection.getInputStream().transferTo(OutputStream.nullOutputStream());
            } catch (IOException _) {
                // The client has gone.
            }
        });
    }

    private URI url() {
        return URI.create("http://127.0.0.1:" + silent.getLocalPort());
    }

    @ParameterizedTest
    @ValueSource(strings = {"200 OK", "503 Service Unavailable"})
    void givesUpAResponseOfAServerThatIsGone(String status) {
        respond("HTTP/1.1 %s\r\nContent-Length: 99\r\n\r\n{".formatted(status));
        Duration longest = Duration.ofMillis(500);
        try (NodeApiClient api = new NodeApiClient(url(), Optional.empty(), longest, longest)) {
            assertThatThrownBy(() -> api.get("/x", NodeApiClient.AS_JSON))
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining("cannot reach")
                    .hasMessageContaining("no response in time");
        }
    }

    @Test
    void aStreamOfAServerThatIsGoneEnds() throws Exception {
        respond("HTTP/1.1 200 OK\r\n\r\n");
        try (NodeApiClient api = new NodeApiClient(url(), Optional.empty());
                BufferedReader lines = api.lines("/x", "text/plain", Duration.ofMillis(50))) {
            assertThatThrownBy(lines::readLine).isInstanceOf(IOException.class);
        }
    }
}
