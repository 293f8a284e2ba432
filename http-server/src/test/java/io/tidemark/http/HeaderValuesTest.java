package io.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.http.testing.RawHttp;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a handler gets of a request's headers. */
class HeaderValuesTest {
    /** Many clients share a connection behind a proxy. */
    @ParameterizedTest
    @ValueSource(strings = {"Accept", "Authorization", "Cookie", "User-Agent", "X-Other"})
    void keepTheirCaseAfterAnotherRequestOfTheConnection(String header) throws Exception {
        HttpServer server = echo(header);
        server.start();
        try (RawHttp client = RawHttp.connect("http://127.0.0.1:" + server.port())) {
            for (String value : new String[] {"TEXT/A", "text/a", "text/a;b=C", "Text/A;b=c"}) {
                String request =
                        "GET / HTTP/1.1\r\nHost: localhost\r\n%s: %s\r\n\r\n"
                                .formatted(header, value);
                assertThat(client.ask(request)).endsWith("\r\n" + value);
            }
        } finally {
            server.close();
        }
    }

    private static HttpServer echo(String header) {
        return new HttpServer(
                new HttpServerSettings("127.0.0.1", 0, 32 << 10, Duration.ofMinutes(1)),
                ErrorBody.TEXT,
                config ->
                        config.routes.get(
                                "/",
                                context -> context.result(String.valueOf(context.header(header)))));
    }
}
