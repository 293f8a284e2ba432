package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.http.testing.RawHttp;
import io.tidemark.http.testing.RawResponse;
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
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundsHttpTest {
    private static final String NOTE = "n".repeat(100_000);
    private static final RawHttp.Options SMALL_BUFFER =
            RawHttp.Options.DEFAULT.withReceiveBuffer(4096);

    /** Longer than a machine under load takes for a step of a request. */
    private static final Duration STALLED = Duration.ofSeconds(5);

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
    @ValueSource(strings = {"keep-alive", "close"})
    void abortsAListWhoseRevisionIsCompactedWhileSent(String connectionHeader) throws Exception {
        MirroredCluster cluster = clusterOfLargePods(400);
        try (QueryNodeFixture fixture = new QueryNodeFixture(cluster);
                RawHttp connection = RawHttp.connect(fixture.url, SMALL_BUFFER)) {
            connection.get("/api/v1/pods", "Connection: " + connectionHeader);
            RawResponse response = connection.response();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.header("transfer-encoding")).isEqualTo("chunked");
            cluster.relist(true);
            assertThatThrownBy(() -> response.body().readAllBytes())
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(SocketTimeoutException.class);
        }
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
            await().until(() -> {
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
        long began = System.nanoTime();
        try (QueryNodeFixture fixture =
                        new QueryNodeFixture(
                                cluster, c -> c.withTimes(c.times().withStalledClient(STALLED)));
                Watch watch =
                        fixture.client.watch(
                                "/api/v1/pods?watch=1&resourceVersion=100&timeoutSeconds=12")) {
            assertThat(watch.rest()).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isGreaterThan(STALLED.multipliedBy(2));
        }
        // The same with an event after the quiet time.
        try (QueryNodeFixture fixture =
                        new QueryNodeFixture(
                                cluster, c -> c.withTimes(c.times().withStalledClient(STALLED)));
                Watch watch = fixture.client.watch("/api/v1/pods?watch=1&resourceVersion=100")) {
            Answer poll =
                    fixture.client.get(
                            "/api/v1/pods?watch=1&longPoll=1&resourceVersion=100&timeoutSeconds=7");
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
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(1),
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ofSeconds(1));
        QueryNodeFixture fixture =
                new QueryNodeFixture(clusterOfLargePods(400), c -> c.withTimes(times));
        try (RawHttp connection = RawHttp.connect(fixture.url, SMALL_BUFFER)) {
            connection.get("/api/v1/pods");
            assertThat(connection.response().status()).isEqualTo(200);
            long began = System.nanoTime();
            fixture.close();
            // At least the time for requests in flight: this one still was.
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isBetween(times.stop(), Duration.ofSeconds(30));
        }
        assertThatThrownBy(() -> RawHttp.connect(fixture.url).close())
                .isInstanceOf(IOException.class);
    }

    @Test
    void endsWatchesCompletelyAndClosesConnectionsOnStop() throws Exception {
        QueryNodeFixture fixture = new QueryNodeFixture(clusterOfLargePods(1));
        try (RawHttp connection = RawHttp.connect(fixture.url)) {
            connection.get("/api/v1/pods?watch=1&resourceVersion=101");
            RawResponse watch = connection.response();
            assertThat(watch.status()).isEqualTo(200);
            assertThat(watch.header("transfer-encoding")).isEqualTo("chunked");
            fixture.close();
            watch.body().readAllBytes(); // Would throw without the last chunk.
            assertThat(connection.isClosedByServer()).isTrue();
        }
    }
}
