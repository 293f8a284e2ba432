package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import io.tidemark.credentials.testing.TestCertificates;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.http.testing.TestHttpClient.Answer;
import io.tidemark.query.QueryConfig;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed lists and watches hold what those that are not compressed do. */
@Execution(ExecutionMode.CONCURRENT)
class CompressionHttpTest {
    private static final String MAPS = "/api/v1/configmaps";
    private static final String JSON = "application/json";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

    private final MirroredCluster cluster = new MirroredCluster(2, 100);
    private QueryNodeFixture fixture;
    private HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void stopNode() {
        http.shutdownNow();
        fixture.close();
    }

    private void start(UnaryOperator<QueryConfig> settings) {
        for (int i = 0; i < 40; i++) {
            configMap("small-" + i, 100); // 101 to 140
        }
        configMap("big", 40_000); // 141
        fixture = new QueryNodeFixture(cluster, settings);
    }

    private void configMap(String name, int length) {
        cluster.put(
                "/registry/configmaps/a/" + name,
                at ->
                        """
                        {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"%s","namespace":"a",\
                        "resourceVersion":"%d"},"data":{"text":"%s"}}\
                        """
                                .formatted(name, at, "n".repeat(length)));
    }

    private static InputStream decoded(String coding, InputStream in) throws IOException {
        return switch (coding) {
            case "gzip" -> new GZIPInputStream(in);
            case "zstd" -> new ZstdInputStream(in);
            default -> in;
        };
    }

    private Answer get(String path, String accept, String coding) throws Exception {
        try (TestHttpClient client = new TestHttpClient(fixture.url)) {
            return client.get(path, "Accept", accept, "Accept-Encoding", coding);
        }
    }

    /** The body of a compressed response, which must be complete. */
    private byte[] unpacked(String path, String accept, String coding) throws Exception {
        Answer answer = get(path, accept, coding);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Encoding")).isEqualTo(coding);
        assertThat(answer.headers().allValues("Vary")).containsExactly("Accept-Encoding");
        try (InputStream in = decoded(coding, new ByteArrayInputStream(answer.body()))) {
            return in.readAllBytes();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "gzip," + JSON,
        "gzip," + PROTOBUF,
        "gzip," + TABLE,
        "zstd," + JSON,
        "zstd," + PROTOBUF,
        "zstd," + TABLE
    })
    void watchesHoldTheSameEvents(String coding, String accept) throws Exception {
        start(config -> config);
        cluster.delete(Bytes.utf8("/registry/configmaps/a/small-7"));
        for (String from : List.of("", "&resourceVersion=120")) {
            String path = MAPS + "?watch=1&timeoutSeconds=1" + from;
            Answer plain = get(path, accept, "identity");
            assertThat(plain.header("Content-Encoding")).isEmpty();
            assertThat(unpacked(path, accept, coding)).isEqualTo(plain.body());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void listsHoldTheSameObjects(String coding) throws Exception {
        start(config -> config);
        configMap("long", 1_000_000);
        for (String accept : List.of(JSON, PROTOBUF)) {
            assertThat(unpacked(MAPS, accept, coding))
                    .isEqualTo(get(MAPS, accept, "identity").body());
        }
    }

    @Test
    void clientsThatAcceptBothGetZstd() throws Exception {
        start(config -> config);
        String path = MAPS + "?watch=1&timeoutSeconds=1";
        assertThat(get(path, JSON, "gzip, deflate, br, zstd").header("Content-Encoding"))
                .isEqualTo("zstd");
        assertThat(get(path, JSON, "gzip, zstd;q=0.9").header("Content-Encoding"))
                .isEqualTo("gzip");
        assertThat(get(path, JSON, "gzip;q=0").header("Content-Encoding")).isEmpty();
    }

    /** A watch whose compressed lines are read one by one. */
    private final class Lines implements AutoCloseable {
        private final InputStream body;
        private final String coding;
        private InputStream decoded;

        Lines(String path, String coding) throws Exception {
            HttpResponse<InputStream> response =
                    http.send(
                            HttpRequest.newBuilder(URI.create(fixture.url + path))
                                    .header("Accept-Encoding", coding)
                                    .timeout(Duration.ofSeconds(20))
                                    .build(),
                            BodyHandlers.ofInputStream());
            assertThat(response.headers().firstValue("Content-Encoding")).hasValue(coding);
            this.body = response.body();
            this.coding = coding;
        }

        /**
         * The name in the next line. A reader of characters would ask for more bytes than the line
         * has: GZIPInputStream always claims to have some.
         */
        String next() throws IOException {
            InputStream in = decoded == null ? decoded(coding, body) : decoded;
            decoded = in;
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                assertThat(next).as("after %s", line).isNotNegative();
                line.write(next);
            }
            return line.toString(StandardCharsets.UTF_8)
                    .replaceFirst(".*?\"name\":\"([^\"]*)\".*", "$1");
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void eachEventCanBeReadBeforeTheNextIsWritten(String coding) throws Exception {
        start(config -> config);
        checkEachEvent(coding, 141);
    }

    private void checkEachEvent(String coding, long from) throws Exception {
        try (Lines watch = new Lines(MAPS + "?watch=1&resourceVersion=" + from, coding)) {
            for (int i = 0; i < 5; i++) {
                configMap("next-" + i, 100);
                assertThat(watch.next()).isEqualTo("next-" + i);
                configMap("next-big-" + i, 100_000);
                assertThat(watch.next()).isEqualTo("next-big-" + i);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    void overTlsTheSameHoldsForBothVersionsOfHttp(Version version, @TempDir Path folder)
            throws Exception {
        TestCertificates certificates = new TestCertificates(folder);
        start(config -> {
            try {
                return config.withTls(certificates.server());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        http =
                HttpClient.newBuilder()
                        .sslContext(certificates.anonymous())
                        .version(version)
                        .build();
        checkEachEvent("gzip", 141);
        checkEachEvent("zstd", 151);
    }

    private static String counter(String coding) {
        return "tidemark_watch_lines_compressed_total{coding=\"" + coding + "\"} ";
    }

    private long compressed(String coding) throws Exception {
        return Arrays.stream(fixture.client.get("/metrics").text().split("\n"))
                .filter(line -> line.startsWith(counter(coding)))
                .mapToLong(line -> (long) Double.parseDouble(line.split(" ")[1]))
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void anEventIsCompressedOnceForAllWatchesOfAForm(String coding) throws Exception {
        start(config -> config);
        List<Lines> watches = new ArrayList<>();
        try {
            for (int i = 0; i < 10; i++) {
                watches.add(new Lines(MAPS + "?watch=1&resourceVersion=141", coding));
            }
            // When all have the first event, all are live.
            configMap("first", 100);
            for (Lines watch : watches) {
                assertThat(watch.next()).isEqualTo("first");
            }
            long before = compressed(coding);
            for (int i = 0; i < 5; i++) {
                configMap("event-" + i, 100);
            }
            for (Lines watch : watches) {
                for (int i = 0; i < 5; i++) {
                    assertThat(watch.next()).isEqualTo("event-" + i);
                }
            }
            assertThat(compressed(coding) - before).isEqualTo(5);
        } finally {
            for (Lines watch : watches) {
                watch.close();
            }
        }
    }

    @Test
    void nothingIsCompressedForWatchesThatDoNotAskForIt() throws Exception {
        start(config -> config);
        assertThat(get(MAPS + "?watch=1&timeoutSeconds=1", JSON, "br").text())
                .contains("\"small-1\"");
        assertThat(compressed("gzip") + compressed("zstd")).isZero();
    }

    @Test
    void initialEventsAreCompressedTogether() throws Exception {
        start(config -> config);
        unpacked(MAPS + "?watch=1&timeoutSeconds=1", JSON, "zstd");
        assertThat(compressed("zstd")).isBetween(2L, 4L);
    }

    @Test
    void errorsBeforeTheStreamAreNotCompressedAndThoseInItAre() throws Exception {
        start(config -> config.withTimes(config.times().withFreshness(Duration.ofMillis(300))));
        Answer refused = get(MAPS + "?watch=1&resourceVersion=x", JSON, "gzip");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.header("Content-Encoding")).isEmpty();
        assertThat(refused.text()).contains("\"kind\":\"Status\"");
        for (String coding : List.of("gzip", "zstd")) {
            for (String query :
                    List.of(
                            "&resourceVersion=5",
                            "&resourceVersion=999999&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1")) {
                byte[] error = unpacked(MAPS + "?watch=1" + query, JSON, coding);
                assertThat(new String(error, StandardCharsets.UTF_8))
                        .startsWith("{\"type\":\"ERROR\"")
                        .endsWith("}\n");
            }
        }
    }

    @Test
    void watchesAreNotCompressedWhenSwitchedOff() throws Exception {
        start(config -> config.withCompressedWatches(false));
        Answer watch = get(MAPS + "?watch=1&timeoutSeconds=1", JSON, "gzip, zstd");
        assertThat(watch.header("Content-Encoding")).isEmpty();
        assertThat(watch.text()).contains("\"small-1\"");
        configMap("long", 200_000);
        assertThat(get(MAPS, JSON, "gzip").header("Content-Encoding")).isEqualTo("gzip");
    }

    @Test
    void headersOfAHeadRequestNameNoCoding() throws Exception {
        start(config -> config);
        try (Watch _ = fixture.client.watch(MAPS + "?watch=1");
                TestHttpClient client = new TestHttpClient(fixture.url)) {
            Answer head =
                    client.send(
                            "HEAD", MAPS + "?watch=1&timeoutSeconds=1", "Accept-Encoding", "gzip");
            assertThat(head.header("Content-Encoding")).isEmpty();
        }
    }
}
