package io.tidemark.authentication.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tidemark.credentials.testing.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OriginServerTest {
    @TempDir private Path folder;

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile int status = 201;
    private TestCertificates certificates;
    private HttpsServer server;
    private String url;

    @BeforeEach
    void start() throws Exception {
        certificates = new TestCertificates(folder);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certificates.server().context()));
        server.createContext(
                "/",
                exchange -> {
                    requests.add(
                            exchange.getRequestMethod()
                                    + " "
                                    + exchange.getRequestURI()
                                    + " "
                                    + exchange.getRequestHeaders().getFirst("Authorization")
                                    + " "
                                    + new String(
                                            exchange.getRequestBody().readAllBytes(),
                                            StandardCharsets.UTF_8));
                    exchange.getResponseHeaders().add("Location", url + "/elsewhere");
                    exchange.sendResponseHeaders(status, 2);
                    exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
                    exchange.close();
                });
        server.start();
        url = "https://127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private Path tokenFile(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private OriginServer origin(String at) throws IOException {
        return new OriginServer(
                at, Optional.of(certificates.authorityFile()), tokenFile("sekret\nmore\n"));
    }

    private byte[] create(OriginServer origin) throws Exception {
        return origin.create("/x", "[1]".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void sendsObjectsWithItsOwnToken() throws Exception {
        assertThat(create(origin(url + "/clusters/a/"))).asString().isEqualTo("{}");
        assertThat(requests).containsExactly("POST /clusters/a/x Bearer sekret [1]");
    }

    @ParameterizedTest
    @ValueSource(ints = {202, 302, 307, 400, 401, 403, 404, 429, 500})
    void failsWithoutSuccessAndShowsNoSecret(int other) throws Exception {
        status = other;
        OriginServer origin = origin(url);
        assertThatThrownBy(() -> create(origin))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(url + " answered " + other)
                .hasMessageNotContaining("sekret");
        assertThat(requests).hasSize(1);
    }

    @Test
    void trustsOnlyTheNamedAuthorities() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        OriginServer origin =
                new OriginServer(
                        url,
                        Optional.of(new TestCertificates(other).authorityFile()),
                        tokenFile("sekret"));
        assertThatThrownBy(() -> create(origin)).isInstanceOf(IOException.class);
        OriginServer byTheJdk = new OriginServer(url, Optional.empty(), tokenFile("sekret"));
        assertThatThrownBy(() -> create(byTheJdk)).isInstanceOf(IOException.class);
        assertThat(requests).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.1:6443", "http://127.0.0.1.example:80", "ftp://a", "a:6443", "",
                "https://", "https://u:p@a", "https://a?x", "https://a#x", "https://a b"
            })
    void refusesOtherUrls(String other) {
        assertThatThrownBy(() -> origin(other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("https://HOST:PORT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:8001", "http://[::1]:8001", "http://localhost"})
    void acceptsPlainHttpOnThisMachine(String local) throws Exception {
        assertThat(origin(local)).hasToString(local);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "sek ret", "sekr\u00e9t", "\nsekret"})
    void refusesAFileWithoutAToken(String content) throws Exception {
        Path file = tokenFile(content);
        assertThatThrownBy(() -> new OriginServer(url, Optional.empty(), file))
                .hasMessageContaining("no bearer token")
                .hasMessageNotContaining("sek");
    }
}
