package io.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.http.testing.RawHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that a web page can send after its name was made to resolve to this server. */
class HostCheckTest {
    private static HttpServer server;

    @BeforeAll
    static void startServer() {
        HttpServerSettings settings =
                new HttpServerSettings("127.0.0.1", 0, 32 << 10, Duration.ofMinutes(1))
                        .withAllowedHosts(
                                AllowedHosts.of("127.0.0.1").and(List.of("good.example")));
        server =
                new HttpServer(
                        settings,
                        ErrorBody.TEXT,
                        config -> {
                            config.routes.get("/*", context -> context.result("secret"));
                            config.routes.post("/*", context -> context.result("secret"));
                        });
        server.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static String ask(String head) throws IOException {
        try (RawHttp client = RawHttp.connect("http://127.0.0.1:" + server.port())) {
            return client.ask(head + "\r\n\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080",
                "GET / HTTP/1.1\r\nHost: localhost",
                "GET / HTTP/1.1\r\nHost: [::1]:8080",
                "GET / HTTP/1.1\r\nHost: GOOD.example.:8080",
                "GET / HTTP/1.1\r\nHost: 10.244.1.7:8080",
                "GET http://good.example/x HTTP/1.1\r\nHost: good.example",
                "GET / HTTP/1.0",
            })
    void answersAllowedHosts(String head) throws Exception {
        assertThat(ask(head)).startsWith("HTTP/1.1 200").endsWith("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: evil.example",
                "GET / HTTP/1.1\r\nHost: evil.example:8080",
                "GET / HTTP/1.0\r\nHost: evil.example",
                "POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0",
                "OPTIONS * HTTP/1.1\r\nHost: evil.example",
                "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example",
                "GET / HTTP/1.1\r\n"
                        + "Host: evil.example\r\n"
                        + "Connection: Upgrade\r\n"
                        + "Upgrade: websocket\r\n"
                        + "Sec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            })
    void refusesOtherHosts(String head) throws Exception {
        assertThat(ask(head))
                .startsWith("HTTP/1.1 403 Forbidden")
                .contains("'evil.example'", "--allowed-host")
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET http://evil.example/ HTTP/1.1\r\nHost: good.example",
                "GET http://good.example/ HTTP/1.1\r\nHost: evil.example",
                "GET / HTTP/1.1\r\nHost: good.example\r\nHost: evil.example",
                "GET / HTTP/1.1\r\nHost: evil.example\r\nHost: good.example",
                "GET / HTTP/1.1\r\nHost: good.example, evil.example",
                "GET / HTTP/1.1\r\nHost: user@good.example",
                "GET / HTTP/1.1",
            })
    void refusesSeveralHostsOrNoneInHttp11(String head) throws Exception {
        assertThat(ask(head)).matches("(?s)HTTP/1.1 40[03] .*").doesNotContain("secret");
    }

    @Test
    void truncatesTheRefusedName() throws Exception {
        String answer = ask("GET / HTTP/1.1\r\nHost: " + "x".repeat(5000));
        assertThat(answer).startsWith("HTTP/1.1 403").hasSizeLessThan(600);
    }
}
