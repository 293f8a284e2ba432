package io.tidemark.authentication.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tidemark.authentication.jwt.IssuerSettings.Keys;
import io.tidemark.credentials.testing.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpKeySourceTest {
    @TempDir private Path folder;

    private final Map<String, String> documents = new ConcurrentHashMap<>();
    private HttpsServer server;
    private String url;
    private String authority;
    private String keys;

    @BeforeEach
    void start() throws Exception {
        TestCertificates certificates = new TestCertificates(folder);
        authority = Files.readString(certificates.authorityFile());
        keys = TestIssuer.keySet(new ECKeyGenerator(Curve.P_256).keyID("k").generate());
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certificates.server().context()));
        server.createContext(
                "/",
                exchange -> {
                    String document = documents.get(exchange.getRequestURI().getPath());
                    if (document == null) {
                        exchange.getResponseHeaders().add("Location", url + "/keys");
                        exchange.sendResponseHeaders(302, -1);
                    } else {
                        byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
                        exchange.sendResponseHeaders(200, bytes.length);
                        exchange.getResponseBody().write(bytes);
                    }
                    exchange.close();
                });
        server.start();
        url = "https://127.0.0.1:" + server.getAddress().getPort();
        documents.put("/conf", configuration(url, url + "/keys"));
        documents.put("/keys", keys);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static String configuration(String issuer, String keys) {
        return "{\"issuer\":\"%s\",\"jwks_uri\":\"%s\"}".formatted(issuer, keys);
    }

    private VerificationKeys fetch(String document, String authorities) throws Exception {
        return new HttpKeySource(url, new Keys.Discovered(URI.create(url + document), authorities))
                .fetch();
    }

    @Test
    void fetchesTheKeysThatTheConfigurationNames() throws Exception {
        assertThat(fetch("/conf", authority)).isEqualTo(VerificationKeys.parse(keys));
    }

    @Test
    void trustsOnlyTheNamedAuthorities() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        String foreign = Files.readString(new TestCertificates(other).authorityFile());
        assertThatThrownBy(() -> fetch("/conf", foreign)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> fetch("/conf", "")).isInstanceOf(IOException.class);
    }

    @Test
    void refusesTheConfigurationOfAnotherIssuer() {
        documents.put("/conf", configuration(url + "/", url + "/keys"));
        assertThatThrownBy(() -> fetch("/conf", authority)).hasMessageContaining("another issuer");
        documents.put("/conf", "[]");
        assertThatThrownBy(() -> fetch("/conf", authority)).hasMessageContaining("another issuer");
        documents.put("/conf", "<html>");
        assertThatThrownBy(() -> fetch("/conf", authority)).hasMessageContaining("is not JSON");
    }

    @Test
    void refusesKeysWithoutHttps() {
        for (String keys : new String[] {"http://127.0.0.1/keys", "file:///etc/passwd", "", " "}) {
            documents.put("/conf", configuration(url, keys));
            assertThatThrownBy(() -> fetch("/conf", authority))
                    .hasMessageContaining("no https:// jwks_uri");
        }
    }

    @Test
    void followsNoRedirect() {
        assertThatThrownBy(() -> fetch("/none", authority)).hasMessageContaining("answered 302");
    }

    @Test
    void refusesALongAnswer() {
        documents.put("/keys", keys + " ".repeat(256 << 10));
        assertThatThrownBy(() -> fetch("/conf", authority)).isInstanceOf(IOException.class);
        documents.put("/keys", "{}");
        assertThatThrownBy(() -> fetch("/conf", authority))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
