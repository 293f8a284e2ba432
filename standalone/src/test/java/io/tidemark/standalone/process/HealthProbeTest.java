package io.tidemark.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealthProbeTest {
    @Test
    void onlyStatus200IsHealthy() throws Exception {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        for (int status : new int[] {200, 503}) {
            server.createContext(
                    "/" + status,
                    exchange -> {
                        byte[] body = "still restoring".getBytes(StandardCharsets.UTF_8);
                        exchange.sendResponseHeaders(status, body.length);
                        exchange.getResponseBody().write(body);
                        exchange.close();
                    });
        }
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        try {
            assertThat(HealthProbe.failure(url + "/200")).isEmpty();
            assertThat(HealthProbe.failure(url + "/503")).contains("503 still restoring");
        } finally {
            server.stop(0);
        }
        assertThat(HealthProbe.failure(url + "/200")).isPresent();
        assertThat(HealthProbe.failure("not a url")).isPresent();
    }

    @Test
    void defaultsToTheReadinessUrlOfThisContainer() {
        assertThat(HealthProbe.ownUrl(Map.of("TIDEMARK_LISTEN", "0.0.0.0:8090")))
                .isEqualTo("http://127.0.0.1:8090/readyz");
        assertThat(HealthProbe.ownUrl(Map.of())).isEqualTo("http://127.0.0.1:8080/readyz");
    }
}
