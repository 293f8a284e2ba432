package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.credentials.testing.TestCertificates;
import io.tidemark.http.testing.RawHttp;
import io.tidemark.query.QueryConfig;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.audit.AuditPolicy;
import io.tidemark.query.audit.AuditSettings;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.FixedCatalog;
import io.tidemark.query.testing.FakeCallers;
import io.tidemark.query.testing.RawSocket;
import io.tidemark.query.testing.Rights;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However a request ends, the audit log has exactly one line that says how. */
class AuditAttackHttpTest {
    private static final int ROUNDS = 12;
    private static final Duration SOON = Duration.ofSeconds(40);
    private static final String UNREADABLE = "unreadable";
    private static final String PODS = "/api/v1/namespaces/blue/pods";
    private static final Pattern CASE = Pattern.compile("case=([a-z0-9-]+)");
    private static final JsonMapper JSON = new JsonMapper();
    private static final Catalog BUILT_IN =
            FixedCatalog.of(BuiltInResources.under(QueryConfig.DEFAULT_PREFIX));

    /** Of a request whose client does not wait for the answer. */
    private static final int ANY = 0;

    @TempDir private Path folder;

    private final MirroredCluster cluster = new MirroredCluster(4, 100);
    private final AtomicBoolean broken = new AtomicBoolean();

    /** The status that the client got, by the mark in the request's URI. */
    private final Map<String, Integer> sent = new ConcurrentHashMap<>();

    private Path log;

    @BeforeEach
    void start() {
        log = folder.resolve("audit.log");
        Rights rights = new Rights(cluster);
        cluster.pod("blue", "mine", Map.of());
        rights.grant("ann", "blue", "get,list,watch", "pods");
    }

    private QueryNodeFixture node(UnaryOperator<QueryConfig> more) {
        FakeCallers callers = new FakeCallers().with("ann").with("root", "system:masters");
        return new QueryNodeFixture(
                cluster,
                config ->
                        more.apply(
                                config.withAccess(callers.underMirroredRules())
                                        .withAudit(new AuditSettings(log, () -> AuditPolicy.ALL))),
                () -> {
                    if (broken.get()) {
                        throw new IllegalStateException("made so by the test");
                    }
                    return BUILT_IN;
                });
    }

    /** A kind of request, made with a mark in its URI; returns the status, or {@link #ANY}. */
    private interface Attack {
        int send(String mark) throws Exception;
    }

    @Test
    void eachRequestHasOneLineThatSaysHowItEnded() throws Exception {
        try (QueryNodeFixture node =
                node(config -> config.withLimits(config.limits().withWatchesPerClient(40)))) {
            run(attacks(node.url));
            // Their lines have no URI, since none could be parsed.
            Map<Boolean, List<String>> readable =
                    sent.keySet().stream()
                            .collect(
                                    Collectors.partitioningBy(
                                            name -> !name.startsWith(UNREADABLE)));
            readable.get(false).forEach(sent::remove);
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(withoutUri()).hasSameSizeAs(readable.get(false)));
            awaitLines(readable.get(true).size());
        }
        requireOneLineEach();
    }

    private List<JsonNode> withoutUri() throws IOException {
        return events("ResponseComplete").stream()
                .filter(event -> event.path("requestURI").asText().isEmpty())
                .toList();
    }

    private Map<String, Attack> attacks(String url) {
        Map<String, Attack> attacks = new LinkedHashMap<>();
        attacks.put("list", mark -> raw(url, "GET", PODS + "?" + mark, as("ann")));
        attacks.put("get", mark -> raw(url, "GET", PODS + "/mine?" + mark, as("ann")));
        attacks.put("head", mark -> raw(url, "HEAD", PODS + "?" + mark, as("ann")));
        attacks.put("wrong-token", mark -> raw(url, "GET", PODS + "?" + mark, as("eve")));
        attacks.put("no-token", mark -> raw(url, "GET", PODS + "?" + mark, ""));
        attacks.put("denied", mark -> raw(url, "GET", "/api/v1/secrets?" + mark, as("ann")));
        attacks.put("unknown", mark -> raw(url, "GET", "/nope?" + mark, as("root")));
        attacks.put("write", mark -> raw(url, "POST", PODS + "?" + mark, as("root")));
        attacks.put("method", mark -> raw(url, "BREW", PODS + "?" + mark, as("root")));
        attacks.put("options", mark -> raw(url, "OPTIONS", PODS + "?" + mark, as("root")));
        attacks.put("trace", mark -> raw(url, "TRACE", PODS + "?" + mark, as("root")));
        attacks.put("escape", mark -> raw(url, "GET", PODS + "?a=%zz&" + mark, as("ann")));
        attacks.put("unreadable-path", mark -> raw(url, "GET", "/%zz?" + mark, as("ann")));
        attacks.put("unreadable-line", mark -> send(url, "GARBAGE\r\n\r\n"));
        attacks.put(
                "selector", mark -> raw(url, "GET", PODS + "?labelSelector=((&" + mark, as("ann")));
        attacks.put("health", mark -> raw(url, "GET", "/livez?" + mark, ""));
        attacks.put("metrics", mark -> raw(url, "GET", "/metrics?" + mark, as("root")));
        attacks.put("kv", mark -> raw(url, "GET", "/kv/registry/pods/?" + mark, as("root")));
        attacks.put(
                "impersonation",
                mark ->
                        raw(
                                url,
                                "GET",
                                PODS + "?" + mark,
                                as("root") + "Impersonate-Group: a\r\n"));
        attacks.put(
                "large-body",
                mark ->
                        raw(
                                url,
                                "POST",
                                PODS + "?" + mark,
                                as("root") + "Content-Length: 99999999\r\n"));
        attacks.put(
                "review",
                mark ->
                        send(
                                url,
                                "POST /apis/authentication.k8s.io/v1/selfsubjectreviews?"
                                        + mark
                                        + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
                                        + as("root")
                                        + "\r\n{}"));
        attacks.put(
                "host",
                mark ->
                        send(
                                url,
                                "GET "
                                        + PODS
                                        + "?"
                                        + mark
                                        + " HTTP/1.1\r\nHost: evil.example\r\n\r\n"));
        attacks.put(
                "old-http", mark -> send(url, "GET " + PODS + "?" + mark + " HTTP/1.0\r\n\r\n"));
        attacks.put(
                "long-agent",
                mark ->
                        raw(
                                url,
                                "GET",
                                PODS + "?" + mark,
                                "User-Agent: " + "x".repeat(1 << 20) + "\r\n"));
        attacks.put(
                "agent",
                mark ->
                        raw(
                                url,
                                "GET",
                                PODS + "?" + mark,
                                as("ann")
                                        + "User-Agent:"
                                        + " a\u0085{\"kind\":\"Event\"}\u00e2\u0080\u00a8\\n\"\r\n"));
        attacks.put(
                "folded-agent",
                mark ->
                        raw(
                                url,
                                "GET",
                                PODS + "?" + mark,
                                "User-Agent: a\r\n {\"kind\":\"Event\"}\r\n"));
        attacks.put(
                "nul-agent",
                mark -> raw(url, "GET", PODS + "?" + mark, "User-Agent: a\u0000b\r\n"));
        attacks.put(
                "bad-length", mark -> raw(url, "GET", PODS + "?" + mark, "Content-Length: x\r\n"));
        attacks.put("watch", mark -> raw(url, "GET", watch(mark) + "&timeoutSeconds=1", as("ann")));
        attacks.put("aborted-watch", mark -> leave(url, watch(mark), true));
        attacks.put("aborted-list", mark -> leave(url, PODS + "?" + mark, false));
        attacks.put("half-closed", mark -> halfClose(url, PODS + "?" + mark));
        attacks.put("socket", mark -> socket(url, watch(mark), ""));
        attacks.put(
                "foreign-socket", mark -> socket(url, watch(mark), "Origin: https://evil.example"));
        return attacks;
    }

    private static String as(String name) {
        return "Authorization: Bearer " + name + "\r\n";
    }

    private static String watch(String mark) {
        return PODS + "?watch=1&" + mark;
    }

    private static int raw(String url, String method, String path, String headers)
            throws IOException {
        return send(
                url, method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
    }

    /** The status, or {@link #ANY} if the server closes before it is read. */
    private static int send(String url, String request) throws IOException {
        try (RawHttp connection = RawHttp.connect(url)) {
            connection.send(request);
            var answer = connection.nextResponse(request.startsWith("HEAD"));
            if (answer.isEmpty()) {
                return ANY;
            }
            String head = answer.get().head();
            answer.get().text();
            return Integer.parseInt(head.split(" ")[1]);
        } catch (SocketException _) {
            return ANY;
        }
    }

    private static int leave(String url, String path, boolean afterHead) throws IOException {
        try (RawHttp connection = RawHttp.connect(url)) {
            connection.get(path, as("ann").strip());
            if (afterHead) {
                connection.response();
            }
        }
        return ANY;
    }

    private static int halfClose(String url, String path) throws IOException {
        try (RawHttp connection = RawHttp.connect(url)) {
            connection.get(path, as("ann").strip());
            connection.endOutput();
            connection.in().readAllBytes();
        } catch (SocketException _) {
            return ANY;
        }
        return ANY;
    }

    private static int socket(String url, String path, String header) throws IOException {
        List<String> headers = new ArrayList<>(List.of(RawSocket.handshake(as("ann").strip())));
        if (!header.isEmpty()) {
            headers.add(header);
        }
        try (RawSocket socket =
                new RawSocket(url, "localhost", path, headers.toArray(String[]::new))) {
            return Integer.parseInt(socket.head().split(" ")[1]);
        }
    }

    private void run(Map<String, Attack> attacks) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                for (Map.Entry<String, Attack> each : attacks.entrySet()) {
                    String name = each.getKey() + "-" + round;
                    running.add(
                            threads.submit(
                                    () -> sent.put(name, each.getValue().send("case=" + name))));
                }
            }
            for (Future<?> each : running) {
                each.get(SOON.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }

    private void awaitLines(int count) {
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(byCase(events("ResponseComplete")).keySet())
                                .containsExactlyInAnyOrderElementsOf(sent.keySet()));
        assertThat(sent).hasSize(count);
    }

    private void requireOneLineEach() throws IOException {
        Map<String, List<JsonNode>> complete = byCase(events("ResponseComplete"));
        sent.forEach((name, status) -> {
            List<JsonNode> lines = complete.getOrDefault(name, List.of());
            assertThat(lines).as(name).hasSize(1);
            if (status != ANY) {
                assertThat(lines.getFirst().path("responseStatus").path("code").asInt())
                        .as(name)
                        .isEqualTo(status);
            }
        });
    }

    /** Each line parses by itself, and is an event with what every event must have. */
    private List<JsonNode> events(String stage) throws IOException {
        List<JsonNode> events = new ArrayList<>();
        String text = Files.readString(log, StandardCharsets.UTF_8);
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\\R")) {
            JsonNode event = JSON.readTree(line);
            assertThat(event.path("kind").asText()).as(line).isEqualTo("Event");
            assertThat(event.path("apiVersion").asText()).isEqualTo("audit.k8s.io/v1");
            assertThat(event.path("level").asText()).isEqualTo("Metadata");
            assertThat(event.path("auditID").asText()).hasSize(36);
            assertThat(event.has("requestURI") && event.has("verb") && event.has("user")).isTrue();
            assertThat(event.path("sourceIPs").get(0).asText()).isEqualTo("127.0.0.1");
            if (event.path("stage").asText().equals(stage)) {
                events.add(event);
            }
        }
        return events;
    }

    private static Map<String, List<JsonNode>> byCase(List<JsonNode> events) {
        return events.stream()
                .filter(event -> !event.path("requestURI").asText().isEmpty())
                .collect(
                        Collectors.groupingBy(
                                event -> {
                                    Matcher mark = CASE.matcher(event.path("requestURI").asText());
                                    return mark.find() ? mark.group(1) : event.toString();
                                },
                                TreeMap::new,
                                Collectors.toList()));
    }

    @Test
    void aFailureOfTheServerIsAPanicBeforeItsEnd() throws Exception {
        try (QueryNodeFixture node = node(config -> config)) {
            broken.set(true);
            sent.put("broken", raw(node.url, "GET", PODS + "?case=broken", as("ann")));
            awaitLines(1);
        }
        assertThat(sent).containsEntry("broken", 500);
        requireOneLineEach();
        assertThat(byCase(events("Panic"))).containsOnlyKeys("broken");
    }

    @Test
    void watchesBeginAndEndOnce() throws Exception {
        try (QueryNodeFixture node = node(config -> config)) {
            sent.put(
                    "short",
                    raw(node.url, "GET", watch("case=short") + "&timeoutSeconds=1", as("ann")));
            sent.put("left", leave(node.url, watch("case=left"), true));
            try (RawHttp open = RawHttp.connect(node.url)) {
                open.get(watch("case=open"), as("ann").strip());
                open.response();
                sent.put("open", ANY);
                node.node.close();
            }
            awaitLines(3);
        }
        requireOneLineEach();
        assertThat(byCase(events("ResponseStarted"))).containsOnlyKeys("short", "left", "open");
    }

    @Test
    void requestsToAStartingNodeAreRecordedToo() throws Exception {
        MirroredCluster starting = MirroredCluster.notListedYet(4);
        try (QueryNodeFixture node =
                new QueryNodeFixture(
                        starting,
                        config ->
                                config.withTimes(
                                                config.times()
                                                        .withStartupHold(Duration.ofMillis(20))
                                                        .withFreshness(Duration.ofMillis(300)))
                                        .withAudit(
                                                new AuditSettings(log, () -> AuditPolicy.ALL)))) {
            for (int i = 0; i < 5; i++) {
                sent.put("early-" + i, raw(node.url, "GET", PODS + "?case=early-" + i, ""));
            }
            awaitLines(5);
        }
        assertThat(sent.values()).containsOnly(503);
        requireOneLineEach();
    }

    /** Streams of one connection, half of them reset by the client. */
    @Test
    void streamsOfHttp2HaveOneLineEach() throws Exception {
        TestCertificates certificates = new TestCertificates(folder);
        try (QueryNodeFixture node =
                        node(config -> {
                            try {
                                return config.withTls(certificates.server());
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
                HttpClient client =
                        HttpClient.newBuilder().sslContext(certificates.anonymous()).build()) {
            List<CompletableFuture<HttpResponse<InputStream>>> watches = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String list = "stream-list-" + i;
                HttpResponse<String> answer =
                        client.send(
                                request(node.url + PODS + "?case=" + list),
                                BodyHandlers.ofString());
                assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
                sent.put(list, answer.statusCode());
                String name = "stream-watch-" + i;
                watches.add(
                        client.sendAsync(
                                request(node.url + watch("case=" + name)),
                                BodyHandlers.ofInputStream()));
                sent.put(name, ANY);
            }
            for (int i = 0; i < watches.size(); i++) {
                // The stream is reset, with its body open or before that.
                if (i % 2 == 0) {
                    watches.get(i).get(SOON.toSeconds(), TimeUnit.SECONDS).body().close();
                } else {
                    watches.get(i).get(SOON.toSeconds(), TimeUnit.SECONDS);
                }
            }
            client.shutdownNow();
            awaitLines(40);
        }
        requireOneLineEach();
    }

    private static HttpRequest request(String url) {
        return HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer ann")
                .build();
    }
}
