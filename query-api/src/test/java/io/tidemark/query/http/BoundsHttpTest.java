package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.http.exchange.ServingLimits;
import io.tidemark.query.http.exchange.ServingTimes;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.testing.Json;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.serving.watch.WatchLimits;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundsHttpTest {
    private static final String NOTE = "n".repeat(100_000);

    private static MirroredCluster clusterOfLargePods(int pods) {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        for (int i = 0; i < pods; i++) {
            String name = "p%03d".formatted(i);
            cluster.put(
                    "/registry/pods/a/" + name, at -> Json.pod("a", name, at, Map.of(), "", NOTE));
        }
        return cluster;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Connection: close\r\n"})
    void abortsAListWhoseRevisionIsCompactedWhileSent(String headers) throws Exception {
        MirroredCluster cluster = clusterOfLargePods(400);
        try (QueryNodeFixture fixture = new QueryNodeFixture(cluster)) {
            URI url = URI.create(fixture.node.url());
            try (Socket socket = new Socket()) {
                socket.setReceiveBufferSize(4096);
                socket.connect(new InetSocketAddress(url.getHost(), url.getPort()));
                socket.setSoTimeout(20_000);
                socket.getOutputStream()
                        .write(
                                "GET /api/v1/pods HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
                                        .formatted(headers)
                                        .getBytes(StandardCharsets.ISO_8859_1));
                InputStream in = socket.getInputStream();
                String start = new String(in.readNBytes(2000), StandardCharsets.UTF_8);
                assertThat(start)
                        .startsWith("HTTP/1.1 200")
                        .containsIgnoringCase("\r\nTransfer-Encoding: chunked\r\n");
                cluster.relist(true);
                assertThat(endedProperly(in)).isFalse();
            }
        }
    }

    /** Whether the terminating chunk came before the connection closed. */
    private static boolean endedProperly(InputStream in) {
        StringBuilder tail = new StringBuilder();
        byte[] buffer = new byte[1 << 16];
        try {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                tail.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
                tail.delete(0, Math.max(0, tail.length() - 16));
            }
        } catch (IOException _) {
            return false;
        }
        return tail.toString().endsWith("\r\n0\r\n\r\n");
    }

    @Test
    void boundsTheBytesOfAPageAndContinues() throws Exception {
        MirroredCluster cluster = clusterOfLargePods(200);
        try (QueryNodeFixture fixture = new QueryNodeFixture(cluster)) {
            Set<String> names = new TreeSet<>();
            Answer page = fixture.client.get("/api/v1/pods?limit=500");
            assertThat(page.text().length()).isLessThan(9 << 20);
            names.addAll(page.names());
            while (!page.continueToken().isEmpty()) {
                page =
                        fixture.client.get(
                                "/api/v1/pods?limit=500&continue=" + page.continueToken());
                names.addAll(page.names());
            }
            assertThat(names).hasSize(200);
        }
    }

    @Test
    void refusesAWatchAboveTheLimit() throws Exception {
        WatchLimits one = new WatchLimits(1, 10, 1 << 20, 10, 1 << 20, new PageLimits(10, 1 << 20));
        try (QueryNodeFixture fixture =
                        new QueryNodeFixture(
                                new MirroredCluster(2, 100),
                                c -> c.withLimits(c.limits().withWatch(one)));
                Watch first = fixture.client.watch("/api/v1/pods?watch=1&resourceVersion=100")) {
            assertThat(first.status()).isEqualTo(200);
            Answer second = fixture.client.get("/api/v1/pods?watch=1&resourceVersion=100");
            assertThat(second.status()).isEqualTo(429);
        }
    }

    @Test
    void limitsTheWatchesOfOneClient() throws Exception {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        try (QueryNodeFixture fixture =
                new QueryNodeFixture(
                        cluster, c -> c.withLimits(c.limits().withWatchesPerClient(1)))) {
            String path = "/api/v1/pods?watch=1&resourceVersion=100";
            try (Watch first = fixture.client.watch(path)) {
                assertThat(first.status()).isEqualTo(200);
                Answer second = fixture.client.get(path);
                assertThat(second.status()).isEqualTo(429);
                assertThat(second.header("Retry-After")).isEqualTo("1");
                assertThat(second.json().path("reason").asText()).isEqualTo("TooManyRequests");
                assertThat(second.message()).startsWith("too many watches of this client");
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> {
                        cluster.pod("a", "one", Map.of()); // A disconnect shows on a write.
                        return fixture.client.get(path + "&timeoutSeconds=1").status() == 200;
                    });
        }
    }

    @Test
    void fitsTheDefaultsToTheHeap() {
        ServingLimits small = ServingLimits.defaults(256L << 20);
        assertThat(small.listBytes()).isEqualTo(64L << 20);
        assertThat(small.listBytesPerClient()).isEqualTo(16L << 20);
        assertThat(small.watch().windowBytes()).isEqualTo(32L << 20);
        assertThat(ServingLimits.defaults(8L << 30).listBytes()).isEqualTo(256L << 20);
    }

    @Test
    void keepsAQuietWatchBeyondTheStallTimeout() throws Exception {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        try (QueryNodeFixture fixture =
                        new QueryNodeFixture(
                                cluster,
                                c ->
                                        c.withTimes(
                                                new ServingTimes(
                                                        Duration.ofSeconds(3),
                                                        Duration.ofMinutes(1),
                                                        Duration.ofMinutes(1),
                                                        Duration.ofMillis(300),
                                                        Duration.ofSeconds(1),
                                                        Duration.ZERO,
                                                        Duration.ZERO)));
                Watch watch =
                        fixture.client.watch(
                                "/api/v1/pods?watch=1&resourceVersion=100&timeoutSeconds=2")) {
            long began = System.nanoTime();
            assertThat(watch.rest()).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isGreaterThan(Duration.ofMillis(1_500));
        }
        // The same with an event after the quiet time.
        try (QueryNodeFixture fixture =
                        new QueryNodeFixture(
                                cluster,
                                c ->
                                        c.withTimes(
                                                new ServingTimes(
                                                        Duration.ofSeconds(3),
                                                        Duration.ofMinutes(1),
                                                        Duration.ofMinutes(1),
                                                        Duration.ofMillis(300),
                                                        Duration.ofSeconds(1),
                                                        Duration.ZERO,
                                                        Duration.ZERO)));
                Watch watch = fixture.client.watch("/api/v1/pods?watch=1&resourceVersion=100")) {
            Answer poll =
                    fixture.client.get(
                            "/api/v1/pods?watch=1&longPoll=1&resourceVersion=100&timeoutSeconds=1");
            assertThat(poll.status()).isEqualTo(200);
            cluster.pod("a", "one", Map.of());
            JsonNode event = watch.next();
            assertThat(Watch.shown(event)).isEqualTo("ADDED one@101");
        }
    }

    @Test
    void stopsInBoundedTimeWhileAClientDoesNotRead() throws Exception {
        ServingTimes times =
                new ServingTimes(
                        Duration.ofSeconds(3),
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(1),
                        Duration.ZERO,
                        Duration.ZERO);
        QueryNodeFixture fixture =
                new QueryNodeFixture(clusterOfLargePods(400), c -> c.withTimes(times));
        URI url = URI.create(fixture.url);
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4096);
            socket.connect(new InetSocketAddress(url.getHost(), url.getPort()));
            String request = "GET /api/v1/pods HTTP/1.1\r\nHost: localhost\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            long began = System.nanoTime();
            fixture.close();
            // At least the time for requests in flight: this one still was.
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isBetween(times.stop(), Duration.ofSeconds(30));
        }
        assertThatThrownBy(() -> new Socket("127.0.0.1", url.getPort()).close())
                .isInstanceOf(IOException.class);
    }

    @Test
    void endsWatchesCompletelyAndClosesConnectionsOnStop() throws Exception {
        QueryNodeFixture fixture = new QueryNodeFixture(clusterOfLargePods(1));
        try (Socket socket = new Socket("127.0.0.1", URI.create(fixture.url).getPort())) {
            String request =
                    "GET /api/v1/pods?watch=1&resourceVersion=101 HTTP/1.1\r\n"
                            + "Host: localhost\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            fixture.close();
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("TTP/1.1 200").endsWith("\r\n0\r\n\r\n");
        }
    }
}
