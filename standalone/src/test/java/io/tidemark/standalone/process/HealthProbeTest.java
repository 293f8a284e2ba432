package io.tidemark.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tidemark.credentials.testing.TestCertificates;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    /** A connector's port is secured by the certificate for its peers. */
    @Test
    void findsAConnectorsSecuredPort(@TempDir Path folder) throws Exception {
        HttpsServer server = secured(folder);
        try {
            String listen = "127.0.0.1:" + server.getAddress().getPort();
            assertThat(
                            HealthProbe.ownFailure(
                                    Map.of(
                                            "TIDEMARK_LISTEN",
                                            listen,
                                            "TIDEMARK_PEER_TLS_CERT",
                                            "tls.crt")))
                    .isEmpty();
            assertThat(HealthProbe.ownFailure(Map.of("TIDEMARK_LISTEN", listen))).isPresent();
        } finally {
            server.stop(0);
        }
    }

    private static HttpsServer secured(Path folder) throws Exception {
        HttpsServer server =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(
                new HttpsConfigurator(new TestCertificates(folder).server().context()));
        server.createContext(
                "/readyz",
                exchange -> {
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                });
        server.start();
        return server;
    }

    /** A probe asks its own process, by an address that the certificate need not name. */
    @Test
    void acceptsAnyCertificate(@TempDir Path folder) throws Exception {
        HttpsServer server = secured(folder);
        try {
            assertThat(
                            HealthProbe.failure(
                                    "https://127.0.0.2:%d/readyz"
                                            .formatted(server.getAddress().getPort())))
                    .isPresent(); // Nothing listens there.
            assertThat(
                            HealthProbe.failure(
                                    "https://127.0.0.1:%d/readyz"
                                            .formatted(server.getAddress().getPort())))
                    .isEmpty();
        } finally {
            server.stop(0);
        }
    }

    @Test
    void helpIsTheUsage() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        int code =
                HealthProbe.run(
                        new String[] {"health", "--help"},
                        Map.of(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));

        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("usage: tidemark health");
        assertThat(err.size()).isZero();
        assertThat(code).isZero();
    }

    @Test
    void defaultsToTheReadinessUrlOfThisContainer() throws Exception {
        assertThat(ownUrl(Map.of("TIDEMARK_LISTEN", "0.0.0.0:8090")))
                .isEqualTo("http://127.0.0.1:8090/readyz");
        assertThat(ownUrl(Map.of("TIDEMARK_LISTEN", "[::]:8090")))
                .isEqualTo("http://127.0.0.1:8090/readyz");
        assertThat(ownUrl(Map.of("TIDEMARK_LISTEN", "10.0.0.7:8090")))
                .isEqualTo("http://10.0.0.7:8090/readyz");
        assertThat(ownUrl(Map.of("TIDEMARK_LISTEN", "[fd00::7]:8090")))
                .isEqualTo("http://[fd00::7]:8090/readyz");
        assertThat(ownUrl(Map.of())).isEqualTo("http://127.0.0.1:8080/readyz");
        assertThat(ownUrl(Map.of("TIDEMARK_TLS", "self-signed")))
                .isEqualTo("https://127.0.0.1:8080/readyz");
        assertThat(ownUrl(Map.of("TIDEMARK_TLS_CERT", "tls.crt")))
                .isEqualTo("https://127.0.0.1:8080/readyz");
    }

    @Test
    void readsThePropertiesFileBelowTheVariables(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("f"), "listen=127.0.0.1:8090\ntls-cert=c\n");
        String config = file.toString();

        assertThat(ownUrl(Map.of("TIDEMARK_CONFIG", config)))
                .isEqualTo("https://127.0.0.1:8090/readyz");
        assertThat(ownUrl(Map.of("TIDEMARK_CONFIG", config, "TIDEMARK_LISTEN", " ")))
                .isEqualTo("https://127.0.0.1:8090/readyz");
        assertThat(ownUrl(Map.of("TIDEMARK_CONFIG", config, "TIDEMARK_LISTEN", "10.0.0.7:1")))
                .isEqualTo("https://10.0.0.7:1/readyz");
        Files.writeString(file, "tls=self-signed\n");
        assertThat(ownUrl(Map.of("TIDEMARK_CONFIG", config)))
                .isEqualTo("https://127.0.0.1:8080/readyz");
    }

    @Test
    void readsThePeerCertificateOfThePropertiesFile(@TempDir Path folder) throws Exception {
        HttpsServer server = secured(folder);
        Path file = folder.resolve("f");
        Files.writeString(
                file,
                "listen=127.0.0.1:%d\npeer-tls-cert=tls.crt\n"
                        .formatted(server.getAddress().getPort()));
        try {
            assertThat(HealthProbe.ownFailure(Map.of("TIDEMARK_CONFIG", file.toString())))
                    .isEmpty();
        } finally {
            server.stop(0);
        }
    }

    @Test
    void namesASettingThatCannotBeUsed(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("f");
        Map<String, String> environment = Map.of("TIDEMARK_CONFIG", file.toString());

        assertThat(HealthProbe.ownFailure(environment).orElseThrow())
                .startsWith("TIDEMARK_CONFIG: cannot read " + file);
        Files.writeString(file, "listen=nowhere\n");
        assertThat(HealthProbe.ownFailure(environment).orElseThrow()).startsWith("listen: ");
    }

    private static String ownUrl(Map<String, String> environment) throws Exception {
        return HealthProbe.ownUrl(HealthProbe.Settings.of(environment));
    }
}
