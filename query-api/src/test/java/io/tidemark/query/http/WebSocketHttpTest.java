package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.query.testing.RawSocket;
import io.tidemark.query.testing.SocketForTests;
import io.tidemark.serving.testing.Json;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.EOFException;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebSocketHttpTest {
    private static final String ALL = "/api/v1/pods?watch=1";
    private static final String WATCH_LIST =
            "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

    private MirroredCluster cluster;
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        cluster = new MirroredCluster(4, 100);
        cluster.pod("b", "two", Map.of("app", "x"), "n1"); // 101
        cluster.pod("a", "one", Map.of("app", "x"), "n1"); // 102
        fixture =
                new QueryNodeFixture(
                        cluster,
                        c -> c.withTimes(c.times().withBookmarkInterval(Duration.ofMillis(100))));
    }

    /** A node with a short timeout for pinging idle clients. */
    private QueryNodeFixture pinging(Duration stalledClient) {
        return new QueryNodeFixture(
                cluster, c -> c.withTimes(c.times().withStalledClient(stalledClient)));
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    private SocketForTests socket(String path, String... headers) throws Exception {
        return new SocketForTests(fixture.url, path, List.of(), headers);
    }

    @Test
    void sendsTheSameEventsAsTheStream() throws Exception {
        assertSame(ALL, 2);
        assertSame(ALL + WATCH_LIST, 3);
        assertSame("/kv/registry/pods/?watch=1&resourceVersion=100", 2);
    }

    /**
     * @param first number of initial events, which are compared one by one
     */
    private void assertSame(String path, int first) throws Exception {
        String accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
        try (Watch stream = fixture.client.watch(path, "Accept", accept);
                SocketForTests socket = socket(path, "Accept", accept)) {
            for (int i = 0; i < first; i++) {
                assertThat(socket.next()).isEqualTo(stream.next());
            }
            cluster.pod("c", "three", Map.of());
            cluster.delete(MirroredCluster.podKey("c", "three"));
            for (int i = 0; i < 2; i++) {
                assertThat(event(socket::next)).isEqualTo(event(stream::next));
            }
        }
    }

    /** The next event that is not a bookmark. */
    private static JsonNode event(Callable<JsonNode> next) throws Exception {
        JsonNode event = next.call();
        while (event.path("type").asText().equals("BOOKMARK")) {
            event = next.call();
        }
        return event;
    }

    @Test
    void watchesOnDeprecatedPaths() throws Exception {
        try (SocketForTests socket =
                socket("/api/v1/watch/namespaces/a/pods/one?resourceVersion=0")) {
            assertThat(socket.next(1)).containsExactly("ADDED one@102");
        }
    }

    @Test
    void sendsAnEventAsOneTextFrame() throws Exception {
        String note = "n".repeat(300_000);
        try (RawSocket socket =
                RawSocket.open(fixture.url, ALL + "&resourceVersion=102", RawSocket.handshake())) {
            assertThat(socket.head()).startsWith("HTTP/1.1 101 ").doesNotContain("Extensions");
            cluster.put("/registry/pods/a/big", at -> Json.pod("a", "big", at, Map.of(), "", note));
            RawSocket.Frame frame = socket.frame();
            assertThat(frame.last()).isTrue();
            assertThat(frame.opcode()).isEqualTo(RawSocket.TEXT);
            assertThat(frame.payload()).startsWith("{\"type\":\"ADDED\"").endsWith("}\n");
        }
    }

    @Test
    void refusesOverHttp() {
        assertThat(refused(ALL + "&resourceVersionMatch=Exact")).isEqualTo(422);
        assertThat(refused(ALL + "&resourceVersion=abc")).isEqualTo(400);
        assertThat(refused("/api/v1/nonsense?watch=1")).isEqualTo(404);
        assertThat(refused(ALL, "Accept", "application/yaml")).isEqualTo(406);
    }

    private int refused(String path, String... headers) {
        WebSocketHandshakeException refused =
                catchThrowableOfType(
                        WebSocketHandshakeException.class, () -> socket(path, headers).close());
        assertThat(refused).isNotNull();
        return refused.getResponse().statusCode();
    }

    @Test
    void sendsAnErrorAndClosesWhenAWatchFails() throws Exception {
        try (SocketForTests socket = socket(ALL + "&resourceVersion=99")) {
            assertThat(socket.rest()).containsExactly("ERROR 410");
            assertThat(socket.closedWith()).isEqualTo(1000);
        }
        String future = ALL + WATCH_LIST + "&resourceVersion=999";
        try (QueryNodeFixture impatient = QueryNodeFixture.impatient(cluster);
                SocketForTests socket = new SocketForTests(impatient.url, future, List.of())) {
            assertThat(socket.rest()).containsExactly("ERROR 504");
        }
    }

    @Test
    void endsCleanlyAtItsTimeoutAndOnStop() throws Exception {
        try (SocketForTests socket = socket(ALL + "&resourceVersion=102&timeoutSeconds=1")) {
            assertThat(socket.rest()).isEmpty();
            assertThat(socket.closedWith()).isEqualTo(1000);
        }
        try (SocketForTests socket = socket(ALL + "&resourceVersion=102")) {
            fixture.node.close();
            assertThat(socket.rest()).isEmpty();
            assertThat(socket.closedWith()).isEqualTo(1000);
        }
    }

    @Test
    void refusesPagesFromOtherHosts() throws Exception {
        assertThat(refused(ALL, "Origin", "http://evil.example")).isEqualTo(403);
        assertThat(refused(ALL, "Origin", "null")).isEqualTo(403);
        try (SocketForTests socket = socket(ALL, "Origin", fixture.url)) {
            assertThat(socket.next(1)).containsExactly("ADDED one@102");
        }
    }

    @Test
    void choosesTheFirstSubprotocolThatIsNotAToken() throws Exception {
        String token = "base64url.bearer.authorization.k8s.io.c2VjcmV0";
        try (SocketForTests socket =
                new SocketForTests(
                        fixture.url, ALL, List.of(token, "base64.binary.k8s.io", "other"))) {
            assertThat(socket.protocol()).isEqualTo("base64.binary.k8s.io");
            assertThat(socket.next(1)).containsExactly("ADDED one@102");
        }
    }

    @Test
    void ignoresUpgradesElsewhereAndRefusesInvalidOnes() throws Exception {
        try (RawSocket list = RawSocket.open(fixture.url, "/api/v1/pods", RawSocket.handshake())) {
            assertThat(list.head()).startsWith("HTTP/1.1 200 ");
        }
        String[] noKey = {"Sec-WebSocket-Version: 13"};
        String[] old = {"Sec-WebSocket-Version: 8", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="};
        for (String[] wrong : List.of(new String[0], noKey, old)) {
            try (RawSocket socket = RawSocket.open(fixture.url, ALL, wrong)) {
                assertThat(socket.head()).startsWith("HTTP/1.1 400 ");
            }
        }
        awaitNoWatches();
    }

    @Test
    void dropsClientFramesAndAnswersPings() throws Exception {
        try (SocketForTests socket = socket(ALL + "&resourceVersion=102")) {
            socket.say("anything " + "x".repeat(200_000));
            assertThat(socket.ping("are you there")).isEqualTo("are you there");
            cluster.pod("a", "one", Map.of());
            assertThat(socket.next(1)).containsExactly("MODIFIED one@103");
        }
    }

    @Test
    void endsTheWatchOfADisconnectedClient() throws Exception {
        try (SocketForTests socket = socket(ALL)) {
            assertThat(socket.next(2)).containsExactly("ADDED one@102", "ADDED two@101");
            socket.bye();
            awaitNoWatches();
        }
        socket(ALL).close();
        awaitNoWatches();
    }

    @Test
    void keepsAnIdleClientThatAnswersPings() throws Exception {
        try (QueryNodeFixture node = pinging(Duration.ofSeconds(10));
                RawSocket socket =
                        RawSocket.open(
                                node.url, ALL + "&resourceVersion=102", RawSocket.handshake())) {
            for (int i = 0; i < 3; i++) {
                assertThat(socket.frame().opcode()).isEqualTo(RawSocket.PING);
                socket.send(RawSocket.PONG, "");
            }
            cluster.pod("a", "one", Map.of());
            assertThat(socket.frame().payload()).startsWith("{\"type\":\"MODIFIED\"");
        }
    }

    @Test
    void disconnectsAClientThatDoesNotAnswerPings() throws Exception {
        try (QueryNodeFixture node = pinging(Duration.ofSeconds(2));
                RawSocket socket =
                        RawSocket.open(
                                node.url, ALL + "&resourceVersion=102", RawSocket.handshake())) {
            assertThat(socket.frame().opcode()).isEqualTo(RawSocket.PING);
            assertThatThrownBy(
                            () -> {
                                while (true) {
                                    assertThat(socket.frame().opcode()).isEqualTo(RawSocket.CLOSE);
                                }
                            })
                    .isInstanceOf(EOFException.class);
            awaitNoWatches(node);
        }
    }

    @Test
    void losesNoEventsOfAStalledReaderAndDelaysNoOther() throws Exception {
        String note = "n".repeat(100_000);
        try (SocketForTests stalled = socket(ALL + "&resourceVersion=102");
                SocketForTests other = socket(ALL + "&resourceVersion=102")) {
            for (int i = 0; i < 200; i++) {
                String name = "p" + i;
                cluster.put(
                        "/registry/pods/a/" + name,
                        at -> Json.pod("a", name, at, Map.of(), "", note));
                assertThat(other.next(1)).containsExactly("ADDED %s@%d".formatted(name, 103 + i));
            }
            for (int i = 0; i < 200; i++) {
                assertThat(stalled.next(1)).containsExactly("ADDED p%d@%d".formatted(i, 103 + i));
            }
        }
    }

    @Test
    void sendsBookmarksLikeTheStream() throws Exception {
        try (SocketForTests socket = socket(ALL + WATCH_LIST)) {
            assertThat(socket.next(3))
                    .containsExactly("ADDED one@102", "ADDED two@101", "BOOKMARK END@102");
            cluster.elsewhere(5);
            JsonNode bookmark = socket.next();
            assertThat(Watch.shown(bookmark)).isEqualTo("BOOKMARK @107");
            assertThat(bookmark.at("/object/spec/containers").isNull()).isTrue();
        }
    }

    private void awaitNoWatches() {
        awaitNoWatches(fixture);
    }

    private static void awaitNoWatches(QueryNodeFixture node) {
        await().untilAsserted(() ->
                assertThat(node.client.get("/metrics").text())
                        .contains("apiserver_registered_watchers 0.0"));
    }
}
