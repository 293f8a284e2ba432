package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.http.testing.RawHttp;
import io.tidemark.http.testing.RawResponse;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.catalog.LiveCatalog;
import io.tidemark.query.http.exchange.MinimumRate;
import io.tidemark.query.testing.Definitions;
import io.tidemark.serving.testing.Json;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Slow clients: the memory held for them and their effect on others. */
class ResponseMemoryHttpTest {
    private static final long MEMORY = 64L << 20;
    private static final MinimumRate.Threshold NEVER =
            new MinimumRate.Threshold(1, Duration.ofMinutes(10));

    private final List<RawHttp> connections = new ArrayList<>();
    private final List<RawResponse> responses = new ArrayList<>();

    @AfterEach
    void closeConnections() throws IOException {
        for (RawHttp each : connections) {
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

    private static RawHttp connect(QueryNodeFixture fixture, String from) throws IOException {
        return RawHttp.connect(
                fixture.url, RawHttp.Options.DEFAULT.withFrom(from).withReceiveBuffer(4096));
    }

    /** Sends a request and reads only the head of the response; returns its status. */
    private int ask(QueryNodeFixture fixture, String from, String path) throws IOException {
        RawHttp connection = connect(fixture, from);
        connections.add(connection);
        connection.get(path);
        responses.add(connection.response());
        return responses.getLast().status();
    }

    /** On a busy machine a node that disconnects slow clients may take this one for slow. */
    private static long metric(QueryNodeFixture fixture, String name) {
        return await().ignoreExceptions().until(() -> askMetric(fixture, name), _ -> true);
    }

    /** Requested from another address, which has its own share. */
    private static long askMetric(QueryNodeFixture fixture, String name) throws Exception {
        try (RawHttp connection = connect(fixture, "127.0.0.3")) {
            connection.get("/metrics");
            String text = connection.response().text();
            Matcher found = Pattern.compile("(?m)^" + name + " (\\S+)$").matcher(text);
            assertThat(found.find()).as("%s in %s", name, text).isTrue();
            return (long) Double.parseDouble(found.group(1));
        }
    }

    private static void awaitNothingHeld(QueryNodeFixture fixture) {
        await().until(() -> metric(fixture, "tidemark_answers_bytes") == 0);
    }

    /** Each reader holds a page of 8 MiB; eight of them once filled this memory. */
    @Test
    void isolatesTheMemoryOfClientAddresses() throws Exception {
        try (QueryNodeFixture fixture = serving(120, 100_000, NEVER)) {
            List<Integer> statuses = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                statuses.add(ask(fixture, "127.0.0.1", "/api/v1/pods?limit=500&n=" + i));
            }
            assertThat(statuses).contains(200, 429);
            assertThat(metric(fixture, "tidemark_answers_bytes")).isBetween(1L, MEMORY / 4);
            assertThat(ask(fixture, "127.0.0.2", "/api/v1/pods?limit=500")).isEqualTo(200);
            closeConnections();
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
                assertThat(ask(fixture, "127.0.0.1", path)).isEqualTo(200);
                assertThat(metric(fixture, "tidemark_answers_bytes")).isGreaterThan(12 << 20);
                assertThat(ask(fixture, "127.0.0.1", path)).isEqualTo(429);
                assertThat(ask(fixture, "127.0.0.2", "/readyz")).isEqualTo(200);
                closeConnections();
                awaitNothingHeld(fixture);
            }
        }
    }

    /** Above 8 KiB a refusal needs memory, too. */
    @Test
    void shortensALongRefusalWithoutFreeMemory() throws Exception {
        String invalid =
                "/api/v1/pods?labelSelector=%s/k+in+(%s)"
                        .formatted(
                                "d".repeat(250),
                                IntStream.range(0, 50)
                                        .mapToObj(i -> "-" + i)
                                        .collect(Collectors.joining(",")));
        try (QueryNodeFixture fixture = serving(1, 15 << 20, NEVER)) {
            assertThat(ask(fixture, "127.0.0.1", "/api/v1/namespaces/a/pods/p000")).isEqualTo(200);
            assertThat(ask(fixture, "127.0.0.2", invalid)).isEqualTo(400);
            String whole = responses.getLast().text();
            assertThat(whole).hasSizeGreaterThan(10_000).contains("values[19]");
            assertThat(ask(fixture, "127.0.0.1", invalid)).isEqualTo(400);
            assertThat(responses.getLast().text())
                    .hasSizeLessThan(2_000)
                    .contains("\"reason\":\"BadRequest\"", "values[0]", "…\"");
        }
    }

    @Test
    void refusesTheSchemasOfLargeDefinitionsWithoutFreeMemory() throws Exception {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        Definitions.widgets(
                cluster,
                "{\"type\":\"object\",\"description\":\"%s\"}".formatted("n".repeat(10 << 20)));
        try (LiveCatalog catalog = Definitions.catalog(cluster)) {
            try (QueryNodeFixture fixture =
                    new QueryNodeFixture(
                            cluster,
                            c -> c.withLimits(c.limits().withListBytes(MEMORY)),
                            catalog::current)) {
                String path = "/openapi/v3/apis/example.com/v1";
                assertThat(ask(fixture, "127.0.0.1", path)).isEqualTo(200);
                assertThat(metric(fixture, "tidemark_answers_bytes")).isGreaterThan(10 << 20);
                assertThat(ask(fixture, "127.0.0.1", path)).isEqualTo(429);
                assertThat(ask(fixture, "127.0.0.2", path)).isEqualTo(200);
                closeConnections();
                awaitNothingHeld(fixture);
            }
        }
    }

    /** A catalogue of the past is made from all definitions at once. */
    @Test
    void refusesThePastOfDefinitionsThatDoNotFit() throws Exception {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        for (int i = 0; i < 20; i++) {
            cluster.put(
                    "/registry/apiextensions.k8s.io/customresourcedefinitions/d%02d".formatted(i),
                    _ -> "{\"note\":\"%s\"}".formatted("n".repeat(1 << 20)));
        }
        cluster.put("/registry/large", _ -> "{\"note\":\"%s\"}".formatted("n".repeat(12 << 20)));
        try (QueryNodeFixture fixture =
                new QueryNodeFixture(
                        cluster, c -> c.withLimits(c.limits().withListBytes(32 << 20)))) {
            assertThat(ask(fixture, "127.0.0.1", "/kv/registry/large")).isEqualTo(200);
            assertThat(ask(fixture, "127.0.0.2", "/at/101/api/v1/pods")).isEqualTo(200);
            assertThat(ask(fixture, "127.0.0.2", "/at/120/api/v1/pods")).isEqualTo(429);
            closeConnections();
            awaitNothingHeld(fixture);
        }
    }

    @Test
    void disconnectsAClientThatReadsTooSlowly() throws Exception {
        MinimumRate.Threshold slowest = new MinimumRate.Threshold(64 << 20, Duration.ofMillis(200));
        try (QueryNodeFixture fixture = serving(1, 12 << 20, slowest)) {
            for (String path :
                    List.of("/api/v1/namespaces/a/pods/p000", "/api/v1/pods", "/kv/registry/")) {
                long before = metric(fixture, "tidemark_slow_clients_total");
                assertThat(ask(fixture, "127.0.0.1", path)).isEqualTo(200);
                await().until(() -> metric(fixture, "tidemark_slow_clients_total") > before);
                awaitNothingHeld(fixture);
                assertThatThrownBy(() -> responses.getLast().body().readAllBytes())
                        .isInstanceOf(IOException.class)
                        .isNotInstanceOf(SocketTimeoutException.class);
            }
        }
    }

    /** Each pod has 50 fields of 256 characters, which are all shown, before and after. */
    private static QueryNodeFixture servingLargeChanges() {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        for (String value : new String[] {"x", "y"}) {
            StringBuilder fields = new StringBuilder();
            for (int i = 0; i < 50; i++) {
                fields.append(",\"f%d\":\"%s\"".formatted(i, value.repeat(254)));
            }
            for (int i = 0; i < 300; i++) {
                String name = "p%03d".formatted(i);
                cluster.put(
                        "/registry/pods/a/" + name,
                        at ->
                                """
                                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s",
                                 "namespace":"a","resourceVersion":"%d"}%s}\
                                """
                                        .formatted(name, at, fields));
            }
        }
        return new QueryNodeFixture(
                cluster,
                c ->
                        c.withLimits(
                                c.limits()
                                        .withListBytes(4 * MEMORY)
                                        .withListPageBytes((int) MEMORY / 2)
                                        .withSlowest(NEVER)));
    }

    @Test
    void countsTheSizeOfChanges() throws Exception {
        try (QueryNodeFixture fixture = servingLargeChanges()) {
            String path = "/changes?resource=pods&from=400&order=oldest&limit=500";
            int length = fixture.client.get(path).text().length();
            assertThat(length).isGreaterThan(8_000_000);
            awaitNothingHeld(fixture);
            assertThat(ask(fixture, "127.0.0.1", path)).isEqualTo(200);
            assertThat(metric(fixture, "tidemark_answers_bytes")).isGreaterThan(length * 3L / 2);
            closeConnections();
            awaitNothingHeld(fixture);
        }
    }

    @Test
    void countsTheSizeOfChangesInAStream() throws Exception {
        try (QueryNodeFixture fixture = servingLargeChanges()) {
            String path = "/changes?resource=pods&from=400&watch=1&timeoutSeconds=600";
            assertThat(ask(fixture, "127.0.0.1", path)).isEqualTo(200);
            await().until(() -> metric(fixture, "tidemark_answers_bytes") > 500_000);
            closeConnections();
            awaitNothingHeld(fixture);
        }
    }

    @Test
    void keepsAWatchThatIsNotRead() throws Exception {
        MinimumRate.Threshold slowest = new MinimumRate.Threshold(64 << 20, Duration.ofMillis(50));
        try (QueryNodeFixture fixture = serving(120, 100_000, slowest)) {
            assertThat(ask(fixture, "127.0.0.1", "/api/v1/pods?watch=1&resourceVersion=100"))
                    .isEqualTo(200);
            assertThat(ask(fixture, "127.0.0.1", "/api/v1/pods")).isEqualTo(200);
            await().until(() -> metric(fixture, "tidemark_slow_clients_total") >= 1);
            assertThat(responses.getFirst().body().readNBytes(11_000_000)).hasSize(11_000_000);
        }
    }
}
