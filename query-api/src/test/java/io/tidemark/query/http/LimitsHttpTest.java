package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.http.testing.RawHttp;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The limits of one request; each has its status. */
class LimitsHttpTest {
    private static QueryNodeFixture fixture;

    /** It soon disconnects a client that sends nothing. */
    private static QueryNodeFixture impatient;

    @BeforeAll
    static void startNodes() {
        fixture = start(Duration.ofSeconds(5));
        impatient = start(Duration.ofMillis(500));
    }

    private static QueryNodeFixture start(Duration stalledClient) {
        return new QueryNodeFixture(
                new MirroredCluster(2, 100),
                c -> c.withTimes(c.times().withStalledClient(stalledClient)));
    }

    @AfterAll
    static void stopNodes() {
        fixture.close();
        impatient.close();
    }

    @Test
    void aQuietWatchWhoseClientDisconnectsEndsAtOnce() throws Exception {
        for (String longPoll : new String[] {"false", "true"}) {
            String path = "/api/v1/pods?watch=true&resourceVersion=100&longPoll=" + longPoll;
            try (RawHttp connection = RawHttp.connect(fixture.url)) {
                connection.get(path);
                awaitWatches("1.0");
            }
            awaitWatches("0.0");
        }
    }

    private static void awaitWatches(String number) {
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(fixture.client.get("/metrics").text())
                                .contains("apiserver_registered_watchers " + number));
    }

    @Test
    void refusesHeadersAboveTheLimitWith431() throws Exception {
        String fields = "X-Long: " + "y".repeat(2_000) + "\r\n";
        assertThat(
                        ask(
                                "GET /api/v1/pods HTTP/1.1\r\nHost: localhost\r\n"
                                        + fields.repeat(20)
                                        + "\r\n"))
                .startsWith("HTTP/1.1 431")
                .contains("\"kind\":\"Status\"")
                .contains("\"reason\":\"RequestHeaderFieldsTooLarge\"");
    }

    @Test
    void refusesALongRequestLineWith414() throws Exception {
        assertThat(ask("GET /" + "y".repeat(40_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 414")
                .contains("\"kind\":\"Status\"")
                .contains("\"reason\":\"RequestURITooLong\"");
    }

    @Test
    void refusesALargeBodyWith413WithoutReadingIt() throws Exception {
        for (String method : new String[] {"GET", "POST"}) {
            String answer =
                    ask(
                            method
                                    + " /api/v1/pods HTTP/1.1\r\nHost: localhost\r\n"
                                    + "Content-Length: 5000000000\r\n\r\nbeginning");
            assertThat(answer)
                    .startsWith("HTTP/1.1 413")
                    .contains("\"reason\":\"RequestEntityTooLarge\"");
        }
    }

    @Test
    void doesNotWaitForAnUnneededBody() throws Exception {
        String start = " /api/v1/pods HTTP/1.1\r\nHost: localhost\r\n";
        assertThat(ask("GET" + start + "Content-Length: 10\r\n\r\n")).startsWith("HTTP/1.1 200");
        assertThat(ask("GET" + start + "Transfer-Encoding: chunked\r\n\r\n5\r\nhel"))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void refusesAMissingHeadWith408() throws Exception {
        String head = "GET /api/v1/pods HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
        assertThat(RawHttp.exchange(impatient.url, head))
                .startsWith("HTTP/1.1 408")
                .contains("\"kind\":\"Status\"");
    }

    @Test
    void abortsATricklingHead() throws Exception {
        try (RawHttp connection = RawHttp.connect(impatient.url)) {
            connection.send("GET /api/v1/pods HTTP/1.1\r\nX-Slow: ");
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> !canSend(connection));
        }
    }

    @Test
    void closesAnIdleConnection() throws Exception {
        assertThat(RawHttp.exchange(impatient.url, "")).isEmpty();
    }

    private static boolean canSend(RawHttp connection) throws IOException {
        try {
            connection.send("y");
            return true;
        } catch (SocketException _) {
            return false;
        }
    }

    /** The response until the server closes the connection. */
    private static String ask(String request) throws IOException {
        return RawHttp.exchange(fixture.url, request);
    }
}
