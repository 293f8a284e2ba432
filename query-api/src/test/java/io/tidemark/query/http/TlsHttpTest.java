package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.credentials.testing.TestCertificates;
import io.tidemark.http.ConnectionLimits;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.query.QueryConfig;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.http.exchange.MinimumRate.Threshold;
import io.tidemark.query.testing.HttpClientForTests;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads and watches over TLS, in both versions of HTTP. */
class TlsHttpTest {
    private static final String WATCH = "/api/v1/pods?watch=1&resourceVersion=100";
    private static final String DISCONNECTED = "tidemark_slow_clients_total";

    /** RFC 9113: a client's first bytes, with no settings, and types of frames. */
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
                    .getBytes(StandardCharsets.ISO_8859_1);

    private static final int SETTINGS = 4;
    private static final int GOAWAY = 7;
    private static final int NO_ERROR = 0;

    static {
        // Small enough for a response that is not read to block.
        System.setProperty("jdk.httpclient.windowsize", "65535");
    }

    @TempDir private Path folder;

    private final MirroredCluster cluster = new MirroredCluster(2, 100);
    private TestCertificates certificates;

    @BeforeEach
    void makeCertificates() throws IOException {
        certificates = new TestCertificates(folder);
    }

    private QueryNodeFixture start(UnaryOperator<QueryConfig> settings) {
        return new QueryNodeFixture(
                cluster,
                config -> {
                    try {
                        return settings.apply(config.withTls(certificates.server()));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private HttpClient.Builder protocol(Version version) {
        return HttpClient.newBuilder().sslContext(certificates.anonymous()).version(version);
    }

    private HttpClientForTests client(QueryNodeFixture fixture, Version version) {
        return new HttpClientForTests(new TestHttpClient(fixture.url, protocol(version).build()));
    }

    private void awaitWatches(QueryNodeFixture fixture, HttpClientForTests client, int count) {
        assertThat(fixture.url).startsWith("https://");
        await().until(() -> hasWatches(client, count));
    }

    private static boolean hasWatches(HttpClientForTests client, int count) throws Exception {
        return client.get("/metrics")
                .text()
                .contains("apiserver_registered_watchers " + count + ".0");
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void answersReads(Version version) throws Exception {
        cluster.pod("a", "one", Map.of());
        try (QueryNodeFixture fixture = start(config -> config);
                HttpClientForTests client = client(fixture, version)) {
            Answer list = client.get("/api/v1/pods");
            assertThat(list.names()).containsExactly("one");
            assertThat(list.response().headers().map())
                    .doesNotContainKeys("connection", "transfer-encoding");
            assertThat(client.get("/api/v1/namespaces/a/pods/two").status()).isEqualTo(404);
            assertThat(client.get("/api").text()).contains("127.0.0.1:");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void deliversEventsAndEndsAWatchWhoseClientHasGone(Version version) throws Exception {
        try (QueryNodeFixture fixture = start(config -> config);
                HttpClientForTests client = client(fixture, version)) {
            try (Watch watch = client.watch(WATCH);
                    Watch other = client.watch(WATCH)) {
                cluster.pod("a", "one", Map.of());
                assertThat(watch.next(1)).containsExactly("ADDED one@101");
                assertThat(other.next(1)).containsExactly("ADDED one@101");
                cluster.pod("a", "two", Map.of());
                assertThat(watch.next(1)).containsExactly("ADDED two@102");
                awaitWatches(fixture, client, 2);
            }
            await().until(() -> {
                if (version == Version.HTTP_1_1) {
                    cluster.pod("a", "more", Map.of()); // Writes show that it has gone.
                }
                return hasWatches(client, 0);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void endsAWatchAtItsTimeout(Version version) throws Exception {
        try (QueryNodeFixture fixture = start(config -> config);
                HttpClientForTests client = client(fixture, version);
                Watch watch = client.watch(WATCH + "&timeoutSeconds=1")) {
            assertThat(watch.rest()).isEmpty();
            awaitWatches(fixture, client, 0);
        }
    }

    /** Go's clients keep all watches on one connection, and most of them are quiet. */
    @Test
    void keepsAQuietWatchLongerThanAnIdleConnection() throws Exception {
        Duration idle = Duration.ofSeconds(2);
        try (QueryNodeFixture fixture =
                        start(config ->
                                config.withConnections(new ConnectionLimits(100, 100, idle)));
                HttpClientForTests client = client(fixture, Version.HTTP_2);
                HttpClientForTests clock = client(fixture, Version.HTTP_2);
                Watch watch = client.watch(WATCH)) {
            // A watch of the same length on another connection measures three idle times.
            try (Watch timed = clock.watch(WATCH + "&timeoutSeconds=6")) {
                assertThat(timed.rest()).isEmpty();
            }
            cluster.pod("a", "late", Map.of());
            assertThat(watch.next(1)).containsExactly("ADDED late@101");
        }
    }

    @Test
    void endsOnlyTheStreamOfAResponseThatIsNotRead() throws Exception {
        for (int i = 0; i < 400; i++) {
            cluster.pod("a", "pod-" + i, Map.of("label", "x".repeat(2_000)));
        }
        Threshold fast = new Threshold(1 << 30, Duration.ofMillis(500));
        try (QueryNodeFixture fixture =
                        start(config -> config.withLimits(config.limits().withSlowest(fast)));
                HttpClient http = protocol(Version.HTTP_2).build();
                HttpClientForTests client =
                        new HttpClientForTests(new TestHttpClient(fixture.url, http));
                Watch watch = client.watch(WATCH.replace("100", "500"))) {
            HttpRequest list =
                    HttpRequest.newBuilder(URI.create(fixture.url + "/api/v1/pods")).build();
            HttpResponse<InputStream> unread = http.send(list, BodyHandlers.ofInputStream());
            assertThat(unread.version()).isEqualTo(Version.HTTP_2);
            // On a busy machine the node may take this client for slow, too.
            await().ignoreExceptions()
                    .until(() -> !client.get("/metrics").text().contains(DISCONNECTED + " 0.0"));
            assertThatThrownBy(() -> unread.body().readAllBytes()).isInstanceOf(IOException.class);

            cluster.pod("a", "after", Map.of());
            assertThat(watch.next(1)).containsExactly("ADDED after@501");
            assertThat(client.metric("tidemark_http_connections")).isEqualTo(1);
        }
    }

    /** A node that stops lets its clients repeat requests elsewhere. */
    @Test
    void asksClientsOfHttp2ToLeaveWhenItStops() throws Exception {
        try (QueryNodeFixture fixture = start(config -> config);
                SSLSocket quiet = openHttp2(fixture);
                HttpClientForTests client = client(fixture, Version.HTTP_2);
                Watch watch = client.watch(WATCH)) {
            Thread stop = Thread.ofVirtual().start(fixture.node::close);
            assertThat(watch.rest()).allMatch(event -> event.startsWith("BOOKMARK"));
            assertThat(goAwayError(quiet)).isEqualTo(NO_ERROR);
            stop.join();
            assertThatThrownBy(() -> client.get("/api/v1/pods")).isInstanceOf(IOException.class);
        }
    }

    /** Without a request, and without the answers that a longer life would need. */
    private SSLSocket openHttp2(QueryNodeFixture fixture) throws IOException {
        URI url = URI.create(fixture.url);
        SSLSocket socket =
                (SSLSocket)
                        certificates
                                .anonymous()
                                .getSocketFactory()
                                .createSocket(url.getHost(), url.getPort());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.getOutputStream().write(PREFACE);
        nextFrame(socket, SETTINGS);
        return socket;
    }

    private static int goAwayError(SSLSocket socket) throws IOException {
        return ByteBuffer.wrap(nextFrame(socket, GOAWAY)).getInt(4);
    }

    private static byte[] nextFrame(SSLSocket socket, int wanted) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        while (true) {
            int lengthAndType = in.readInt();
            in.skipNBytes(5);
            byte[] payload = in.readNBytes(lengthAndType >>> 8);
            if ((lengthAndType & 0xff) == wanted) {
                return payload;
            }
        }
    }
}
