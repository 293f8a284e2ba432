package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.http.exchange.MinimumRate;
import io.tidemark.serving.testing.Json;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Slow clients: the memory held for them and their effect on others. */
class ResponseMemoryHttpTest {
    private static final long MEMORY = 64L << 20;
    private static final MinimumRate.Threshold NEVER =
            new MinimumRate.Threshold(1, Duration.ofMinutes(10));

    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void closeSockets() throws IOException {
        for (Socket each : sockets) {
            each.close();
        }
    }

    private static QueryNodeFixture serving(int pods, int bytes, MinimumRate.Threshold slowest) {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        String note = "n".repeat(bytes);
        for (int i = 0; i < pods; i++) {
            String name = "p%03d".formatted(i);
            cluster.put(
                    "/registry/pods/a/" + name, at -> Json.pod("a", name, at, Map.of(), "", note));
        }
        return new QueryNodeFixture(
                cluster, c -> c.withLimits(c.limits().withListBytes(MEMORY).withSlowest(slowest)));
    }

    /** Sends a request and reads only the status of the response. */
    private String ask(QueryNodeFixture fixture, String from, String path) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(4096);
        socket.bind(new InetSocketAddress(from, 0));
        URI url = URI.create(fixture.url);
        socket.connect(new InetSocketAddress(url.getHost(), url.getPort()));
        socket.setSoTimeout(30_000);
        socket.getOutputStream()
                .write(
                        "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                                .formatted(path)
                                .getBytes(StandardCharsets.ISO_8859_1));
        return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
    }

    /** Requested from another address, which has its own share. */
    private static long metric(QueryNodeFixture fixture, String name) throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().localAddress(InetAddress.getByName("127.0.0.3")).build()) {
            String text =
                    client.send(
                                    HttpRequest.newBuilder(URI.create(fixture.url + "/metrics"))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body();
            Matcher found = Pattern.compile("(?m)^" + name + " (\\S+)$").matcher(text);
            assertThat(found.find()).as("%s in %s", name, text).isTrue();
            return (long) Double.parseDouble(found.group(1));
        }
    }

    private static void awaitNothingHeld(QueryNodeFixture fixture) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> metric(fixture, "tidemark_answers_bytes") == 0);
    }

    /** Each reader holds a page of 8 MiB; eight of them once filled this memory. */
    @Test
    void isolatesTheMemoryOfClientAddresses() throws Exception {
        try (QueryNodeFixture fixture = serving(120, 100_000, NEVER)) {
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                answers.add(ask(fixture, "127.0.0.1", "/api/v1/pods?limit=500&n=" + i));
            }
            assertThat(answers).contains("HTTP/1.1 200", "HTTP/1.1 429");
            assertThat(metric(fixture, "tidemark_answers_bytes")).isBetween(1L, MEMORY / 4);
            assertThat(ask(fixture, "127.0.0.2", "/api/v1/pods?limit=500"))
                    .isEqualTo("HTTP/1.1 200");
            closeSockets();
            awaitNothingHeld(fixture);
        }
    }

    @Test
    void refusesLargeObjectsWithoutFreeMemory() throws Exception {
        try (QueryNodeFixture fixture = serving(1, 12 << 20, NEVER)) {
            for (String path :
                    List.of(
                            "/api/v1/namespaces/a/pods/p000",
                            "/kv/registry/pods/a/p000",
                            "/api/v1/namespaces/a/pods/p000?history=true")) {
                assertThat(ask(fixture, "127.0.0.1", path)).isEqualTo("HTTP/1.1 200");
                assertThat(metric(fixture, "tidemark_answers_bytes")).isGreaterThan(12 << 20);
                assertThat(ask(fixture, "127.0.0.1", path)).isEqualTo("HTTP/1.1 429");
                assertThat(ask(fixture, "127.0.0.2", "/readyz")).isEqualTo("HTTP/1.1 200");
                closeSockets();
                awaitNothingHeld(fixture);
            }
        }
    }

    @Test
    void disconnectsAClientThatReadsTooSlowly() throws Exception {
        MinimumRate.Threshold slowest = new MinimumRate.Threshold(64 << 20, Duration.ofMillis(200));
        try (QueryNodeFixture fixture = serving(1, 12 << 20, slowest)) {
            for (String path :
                    List.of("/api/v1/namespaces/a/pods/p000", "/api/v1/pods", "/kv/registry/")) {
                long before = metric(fixture, "tidemark_slow_clients_total");
                assertThat(ask(fixture, "127.0.0.1", path)).isEqualTo("HTTP/1.1 200");
                await().until(() -> metric(fixture, "tidemark_slow_clients_total") == before + 1);
                awaitNothingHeld(fixture);
                assertThat(endedProperly(sockets.getLast().getInputStream())).isFalse();
            }
        }
    }

    @Test
    void keepsAWatchThatIsNotRead() throws Exception {
        MinimumRate.Threshold slowest = new MinimumRate.Threshold(64 << 20, Duration.ofMillis(50));
        try (QueryNodeFixture fixture = serving(120, 100_000, slowest)) {
            assertThat(ask(fixture, "127.0.0.1", "/api/v1/pods?watch=1&resourceVersion=100"))
                    .isEqualTo("HTTP/1.1 200");
            assertThat(ask(fixture, "127.0.0.1", "/api/v1/pods")).isEqualTo("HTTP/1.1 200");
            await().until(() -> metric(fixture, "tidemark_slow_clients_total") == 1);
            InputStream watch = sockets.getFirst().getInputStream();
            assertThat(watch.readNBytes(11_000_000)).hasSize(11_000_000);
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
}
