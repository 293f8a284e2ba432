package io.tidemark.connector.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tidemark.connector.source.EtcdSource.Newest;
import io.tidemark.credentials.ReloadedFiles;
import io.tidemark.credentials.testing.TestCertificates;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdException.Kind;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What the source makes of answers that a node in good order does not give. */
@Execution(ExecutionMode.CONCURRENT)
class TidemarkSourceTest {
    private static final Bytes PREFIX = Bytes.utf8("/registry/");
    private static final String EMPTY =
            "{\"kind\":\"KeyValueList\",\"metadata\":{\"resourceVersion\":\"12\"},\"items\":[]}";

    @TempDir private Path folder;

    private final List<HttpServer> nodes = new ArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    /** Answers one request. */
    private interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    private URI node(Answer answer) throws IOException {
        return node(HttpServer.create(loopback(), 0), "http", answer);
    }

    private URI secureNode(TestCertificates certificates, Answer answer) throws IOException {
        HttpsServer server = HttpsServer.create(loopback(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certificates.server().context()));
        return node(server, "https", answer);
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private URI node(HttpServer server, String scheme, Answer answer) {
        nodes.add(server);
        int number = nodes.size();
        server.createContext(
                "/kv",
                exchange -> {
                    requests.add(number + " " + exchange.getRequestURI().getRawQuery());
                    try (exchange) {
                        answer.to(exchange);
                    }
                });
        server.start();
        return URI.create(scheme + "://127.0.0.1:" + server.getAddress().getPort() + "/kv");
    }

    private static TidemarkSource source(URI... nodes) {
        return new TidemarkSource(UpstreamOptions.of(List.of(nodes)), PREFIX);
    }

    private static Answer status(int code, String body) {
        return exchange -> send(exchange, code, body);
    }

    private static Answer list(String history) {
        return exchange -> {
            exchange.getResponseHeaders().add("X-Tidemark-History", history);
            exchange.getResponseHeaders().add("X-Tidemark-Floor", "4");
            send(exchange, 200, EMPTY);
        };
    }

    private static void send(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static String refusal(int code, String message) {
        return "{\"kind\":\"Status\",\"code\":%d,\"message\":\"%s\"}".formatted(code, message);
    }

    private static void assertFails(Kind kind, String message, ThrowingCallable call) {
        assertThatThrownBy(call)
                .asInstanceOf(type(EtcdException.class))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(kind))
                .satisfies(e -> assertThat(e).hasMessageContaining(message));
    }

    @AfterEach
    void stopNodes() {
        nodes.forEach(node -> node.stop(0));
    }

    @Test
    void asksAnotherNodeWhenOneCannotBeUsed() throws Exception {
        URI broken = node(status(503, refusal(503, "no replica")));
        URI good = node(list("1f-1"));
        try (TidemarkSource source = source(broken, good)) {
            assertThat(source.newest()).isEqualTo(new Newest(0x1f, 12));
            assertThat(source.oldestRevision()).isEqualTo(4);
        }
        assertThat(requests)
                .extracting(each -> each.substring(0, 1))
                .containsExactly("1", "2", "2");
        assertThat(requests.getLast())
                .isEqualTo("2 prefix=true&key=%2Fregistry%2F&values=false&limit=1");
    }

    @Test
    void saysWhatKindOfFailureItIs() throws Exception {
        try (TidemarkSource source = source(node(status(403, refusal(403, "not allowed"))))) {
            assertFails(Kind.AUTH, "not allowed", source::newest);
        }
        try (TidemarkSource source = source(node(status(410, refusal(410, "too old"))))) {
            assertFails(Kind.COMPACTED, "too old", () -> source.list(PREFIX, 3, 10));
        }
        try (TidemarkSource source = source(node(status(404, refusal(404, "not mirrored"))))) {
            assertFails(Kind.OTHER, "not mirrored", source::newest);
        }
        try (TidemarkSource source = source(node(status(429, refusal(429, "later"))))) {
            assertFails(Kind.UNAVAILABLE, "later", source::newest);
        }
    }

    @Test
    void aServerThatIsNoTidemarkIsNamedSo() throws Exception {
        try (TidemarkSource source = source(node(status(200, EMPTY)))) {
            assertFails(Kind.OTHER, "is no Tidemark that can be followed", source::newest);
        }
        try (TidemarkSource source = source(node(list("nonsense")))) {
            assertFails(Kind.OTHER, "names no history", source::newest);
        }
        Answer odd =
                exchange -> {
                    exchange.getResponseHeaders().add("X-Tidemark-History", "1f-1");
                    exchange.getResponseHeaders().add("X-Tidemark-Floor", "low");
                    exchange.getResponseHeaders().add("X-Tidemark-Revision", "high");
                    send(exchange, 200, EMPTY);
                };
        try (TidemarkSource source = source(node(odd))) {
            assertFails(Kind.OTHER, "X-Tidemark-Floor is no number", source::oldestRevision);
            assertFails(Kind.OTHER, "X-Tidemark-Revision is no number", () -> source.watch(3));
        }
        Answer moved =
                exchange -> {
                    exchange.getResponseHeaders().add("Location", "http://127.0.0.1:1/");
                    send(exchange, 302, "");
                };
        try (TidemarkSource source = source(node(moved))) {
            assertFails(Kind.OTHER, "status 302", source::newest);
        }
    }

    @Test
    void aPageOfAnotherHistoryIsRefused() throws Exception {
        List<String> histories = new CopyOnWriteArrayList<>(List.of("1f-1", "1f-2"));
        URI node = node(exchange -> list(histories.removeFirst()).to(exchange));
        try (TidemarkSource source = source(node)) {
            assertThat(source.view().clusterId()).isEqualTo(0x1f);
            assertFails(
                    Kind.UNAVAILABLE, "a page came from history", () -> source.list(PREFIX, 12, 1));
        }
    }

    @Test
    void aRevisionIsOfTheFutureOnlyIfNoNodeKnowsANewerOne() throws Exception {
        Answer lagging =
                exchange -> {
                    boolean exact = exchange.getRequestURI().getQuery().contains("Exact");
                    (exact ? status(504, refusal(504, "too large")) : list("1f-1")).to(exchange);
                };
        try (TidemarkSource source = source(node(lagging))) {
            assertFails(Kind.UNAVAILABLE, "too large", () -> source.list(PREFIX, 12, 1));
            assertFails(Kind.FUTURE_REVISION, "too large", () -> source.list(PREFIX, 13, 1));
        }
    }

    @Test
    void anAnswerThatIsTooLongIsNotHeld() throws Exception {
        Answer endless =
                exchange -> {
                    exchange.sendResponseHeaders(200, 0);
                    OutputStream body = exchange.getResponseBody();
                    for (int i = 0; i < 100; i++) {
                        body.write(new byte[1_000]);
                    }
                };
        UpstreamOptions options = UpstreamOptions.of(List.of(node(endless)));
        try (TidemarkSource source =
                new TidemarkSource(new UpstreamClient(options, 10_000), PREFIX)) {
            assertFails(Kind.TOO_LARGE, "", () -> source.list(PREFIX, 12, 1));
        }
    }

    /** A smaller page may come in time, or all of it from another node. */
    @Test
    void anAnswerThatDoesNotEndInTimeIsTooLarge() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        URI stopping = node(withoutBody(200, asked));
        try (TidemarkSource source = source(stopping, node(list("1f-1")))) {
            assertFails(Kind.TOO_LARGE, "in time", () -> source.list(PREFIX, 12, 1));
            assertThat(source.list(PREFIX, 12, 1).currentRevision()).isEqualTo(12);
        } finally {
            asked.countDown();
        }
        assertThat(requests).extracting(each -> each.substring(0, 1)).containsExactly("1", "2");
    }

    @Test
    void silentNodesLeaveTimeForTheNext() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Answer silent = _ -> awaitEnd(end);
        try (TidemarkSource source = source(node(silent), node(silent), node(list("1f-1")))) {
            assertThat(source.newest().revision()).isEqualTo(12);
        } finally {
            end.countDown();
        }
    }

    @Test
    void asksAnotherNodeFirstWhenAllHaveFailed() throws Exception {
        Answer broken = status(503, refusal(503, "no replica"));
        try (TidemarkSource source = source(node(broken), node(broken))) {
            assertFails(Kind.UNAVAILABLE, "no replica", source::newest);
            assertFails(Kind.UNAVAILABLE, "no replica", source::newest);
        }
        assertThat(requests)
                .extracting(each -> each.substring(0, 1))
                .containsExactly("1", "2", "2", "1");
    }

    /** Announces a body, which does not come before the end. */
    private static Answer withoutBody(int status, CountDownLatch end) {
        return exchange -> {
            exchange.sendResponseHeaders(status, 100);
            exchange.getResponseBody().flush();
            awaitEnd(end);
        };
    }

    private static void awaitEnd(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** The mark that a watch goes on after may be the oldest revision that is left. */
    @Test
    void aWatchAsksForNothingOlderThanItsRevision() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        Answer refusing =
                exchange -> {
                    String query = exchange.getRequestURI().getQuery();
                    boolean watch = query.contains("watch=true");
                    if (watch) {
                        asked.add(query.substring(query.lastIndexOf('&') + 1));
                    }
                    (watch ? status(410, refusal(410, "expired")) : list("1f-1")).to(exchange);
                };
        try (TidemarkSource source = source(node(refusing));
                EtcdWatch _ = source.watch(12);
                EtcdWatch _ = source.watch(0)) {
            assertThat(asked).containsExactly("resourceVersion=12", "resourceVersion=1");
        }
    }

    @Test
    void aRefusedWatchOfAnotherHistoryIsNoCompaction() throws Exception {
        Answer replaced =
                exchange -> {
                    boolean watch = exchange.getRequestURI().getQuery().contains("watch=true");
                    (watch ? status(410, refusal(410, "replaced")) : list("1f-2")).to(exchange);
                };
        try (TidemarkSource source = source(node(replaced))) {
            EtcdWatch late = source.watch(9);
            assertThat(late.next(Duration.ZERO)).containsInstanceOf(WatchEvent.Created.class);
            assertThat(late.next(Duration.ZERO)).containsInstanceOf(WatchEvent.Failed.class);
            EtcdWatch old = source.watch(3);
            assertThat(old.next(Duration.ZERO)).containsInstanceOf(WatchEvent.Created.class);
            assertThat(old.next(Duration.ZERO)).contains(new WatchEvent.Compacted(4));
        }
    }

    private Path tokenFile(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private TidemarkSource withToken(TestCertificates certificates, Path token, URI node) {
        UpstreamOptions options =
                new UpstreamOptions(
                        List.of(node),
                        Optional.of(certificates.authorityFile()),
                        Optional.empty(),
                        Optional.of(token));
        return new TidemarkSource(options, PREFIX);
    }

    @Execution(ExecutionMode.SAME_THREAD) // Each looks at one logger.
    @ParameterizedTest
    @ValueSource(strings = {"secret2\nsecret3\n", "\ufeffsecret2\n", "secret2 secret3", ""})
    void keepsItsTokenWhileTheFileHoldsNoToken(String content) throws Exception {
        TestCertificates certificates = new TestCertificates(folder);
        Queue<String> presented = new ConcurrentLinkedQueue<>();
        URI node =
                secureNode(
                        certificates,
                        exchange -> {
                            presented.add(exchange.getRequestHeaders().getFirst("Authorization"));
                            list("1f-1").to(exchange);
                        });
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(ReloadedFiles.class);
        log.start();
        logger.addAppender(log);
        try (TidemarkSource source = withToken(certificates, tokenFile(" secret1\n"), node)) {
            // A handshake on a busy machine may take longer than the client waits.
            Awaitility.await()
                    .ignoreExceptionsInstanceOf(EtcdException.class)
                    .until(() -> source.newest().revision() == 12);
            Path _ = tokenFile(content);
            Awaitility.await()
                    .until(() -> {
                        assertThat(source.newest().revision()).isEqualTo(12);
                        return !log.list.isEmpty();
                    });
        } finally {
            logger.detachAppender(log);
        }
        assertThat(presented).containsOnly("Bearer secret1");
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .allSatisfy(each ->
                        assertThat(each).contains("keeping its previous").doesNotContain("secret"));
    }

    @Test
    void refusesAFileWithoutATokenAtTheStart() throws Exception {
        TestCertificates certificates = new TestCertificates(folder);
        Path token = tokenFile("secret2\nsecret3\n");
        assertThatThrownBy(() ->
                        withToken(certificates, token, URI.create("https://127.0.0.1:1/kv"))
                                .close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must hold one bearer token")
                .hasMessageContaining(token.toString())
                .hasMessageNotContaining("secret");
    }

    /** The next node may answer. */
    @Test
    void aRefusedWatchWithoutABodyFailsInTime() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (TidemarkSource source = source(node(withoutBody(503, end)))) {
            assertTimeoutPreemptively(
                    Duration.ofSeconds(10),
                    () -> assertFails(Kind.DEADLINE, "in time", () -> source.watch(3)));
        } finally {
            end.countDown();
        }
    }
}
