package io.tidemark.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeApiClientTest {
    /** It sends a part of its response, and never ends the connection. */
    @ParameterizedTest
    @ValueSource(strings = {"200 OK", "503 Service Unavailable"})
    @Timeout(60)
    void givesUpAResponseOfAServerThatIsGone(String status) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                NodeApiClient api =
                        new NodeApiClient(
                                URI.create("http://127.0.0.1:" + silent.getLocalPort()),
                                Optional.empty(),
                                Duration.ofMillis(500))) {
            Thread.startVirtualThread(() -> {
                try (Socket connection = silent.accept()) {
                    String part = "HTTP/1.1 %s\r\nContent-Length: 99\r\n\r\n{".formatted(status);
                    connection.getOutputStream().write(part.getBytes(UTF_8));
                    connection.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException _) {
                    // The client has gone.
                }
            });
            assertThatThrownBy(() -> api.get("/x", NodeApiClient.AS_JSON))
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining("cannot reach")
                    .hasMessageContaining("no response in time");
        }
    }
}
