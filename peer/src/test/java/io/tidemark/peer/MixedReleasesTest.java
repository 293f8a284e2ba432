package io.tidemark.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.javalin.config.JavalinConfig;
import io.javalin.util.JavalinBindException;
import io.tidemark.address.HttpAddress;
import io.tidemark.http.AllowedHosts;
import io.tidemark.http.ErrorBody;
import io.tidemark.http.HttpServer;
import io.tidemark.http.HttpServerSettings;
import io.tidemark.http.NodeRoutes;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.NodeRequest;
import io.tidemark.nodeauth.PeerSecret;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.nodeauth.ServerSessions;
import io.tidemark.peer.link.PeerConnection;
import io.tidemark.peer.wire.WireRequest;
import io.tidemark.peer.wire.WireVersion;
import io.tidemark.peer.wire.WireVersions;
import io.tidemark.record.Bytes;
import io.tidemark.view.request.GetRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes of several releases in one group. */
class MixedReleasesTest {
    private static final int PARTITIONS = 3;
    private static final PeerSecrets SECRETS =
            PeerSecrets.of(new PeerSecret("a-secret-for-tests-only"));

    private final Set<String> addresses = new ConcurrentSkipListSet<>();
    private final List<AutoCloseable> opened = new ArrayList<>();

    /**
     * A port of this address stays free while its node is replaced: connections of other tests,
     * which come from 127.0.0.1, cannot take it.
     */
    private static final String HOST = "127.0.0.2";

    private record Node(HttpAddress address, TestPartitions own, PeerNetwork network) {
        String read(int partition) {
            return TestPartitions.text(
                    network.directory().view(partition).read(new GetRequest(Bytes.utf8("key"), 1)));
        }
    }

    private Node start(String name, WireVersions versions) throws IOException {
        return start(name, versions, freeAddress());
    }

    /** Another process may have the port for a moment, after it was found to be free. */
    private Node start(String name, WireVersions versions, HttpAddress address) {
        return await().ignoreExceptionsInstanceOf(JavalinBindException.class)
                .until(() -> startAtOnce(name, versions, address), _ -> true);
    }

    private Node startAtOnce(String name, WireVersions versions, HttpAddress address) {
        TestPartitions own = new TestPartitions(PARTITIONS, name);
        PeerNetwork network =
                new PeerNetwork(
                        new PeerSettings(address, address, SECRETS, versions),
                        own,
                        () -> addresses,
                        () -> name.getBytes(StandardCharsets.UTF_8));
        network.start();
        opened.add(network);
        addresses.add(address.hostPort());
        return new Node(address, own, network);
    }

    private static HttpAddress freeAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            return new HttpAddress("http", HOST, socket.getLocalPort());
        }
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    @Test
    void nodesOfTwoVersionsReadEachOther() throws Exception {
        String large = "x".repeat(5 << 20);
        Node a = start("a", WireVersions.through(5));
        Node b = start(large, WireVersions.all());
        Node c = start("c", WireVersions.all());
        a.own().become(0, 10);
        b.own().become(1, 10);
        c.own().become(2, 10);
        for (Node node : List.of(a, b, c)) {
            await().untilAsserted(() -> {
                assertThat(node.read(0)).isEqualTo("a/0");
                assertThat(node.read(1)).isEqualTo(large + "/1");
                assertThat(node.read(2)).isEqualTo("c/2");
            });
        }
        assertThat(version(a, b)).isEqualTo(5);
        assertThat(version(b, a)).isEqualTo(5);
        assertThat(version(b, c)).isEqualTo(6);
        assertThat(version(c, b)).isEqualTo(6);
    }

    private static int version(Node reading, Node read) {
        return reading.network().connections().get(read.address().hostPort()).version();
    }

    private interface OtherRoutes {
        void add(JavalinConfig config, NodeRoutes nodes);
    }

    /** A node of another release, as far as this one asks it. */
    private HttpAddress startOtherRelease(OtherRoutes routes) throws IOException {
        HttpAddress address = freeAddress();
        HttpServer server =
                new HttpServer(
                        new HttpServerSettings(
                                        address.host(),
                                        address.port(),
                                        HttpServerSettings.HEADER_BYTES,
                                        Duration.ofMinutes(1))
                                .withAllowedHosts(AllowedHosts.of(address.host())),
                        ErrorBody.TEXT,
                        config -> {
                            NodeRoutes nodes =
                                    new NodeRoutes(new ServerSessions(SECRETS, () -> address));
                            nodes.addTo(config);
                            routes.add(config, nodes);
                        });
        server.start();
        opened.add(server);
        addresses.add(address.hostPort());
        return address;
    }

    @Test
    void doesNotReadANodeWithoutACommonVersion() throws Exception {
        Node a = start("a", WireVersions.all());
        HttpAddress later =
                startOtherRelease((config, nodes) ->
                        config.routes.get(
                                PeerPaths.VERSIONS,
                                nodes.authenticated(0, exchange -> exchange.answer(200, "7 8"))));
        PeerConnection refused =
                new PeerConnection(0, "it speaks peer versions 7 8, this node 5 6", true);
        await().untilAsserted(() ->
                assertThat(a.network().connections()).containsEntry(later.hostPort(), refused));
        assertThat(a.network().nodes()).containsEntry(later.hostPort(), Optional.empty());
        assertThat(a.read(0)).contains("no replica");
    }

    /** A release from before announcements knows neither their path nor another version than 5. */
    @Test
    void readsANodeThatAnnouncesNothing() throws Exception {
        Node a = start("a", WireVersions.all());
        TestPartitions own = new TestPartitions(PARTITIONS, "older");
        own.become(1, 10);
        WireVersion five = WireVersions.through(5).newest();
        PeerPaths paths = new PeerPaths(five);
        HttpAddress older =
                startOtherRelease((config, nodes) ->
                        config.routes.get(
                                paths.states(),
                                nodes.authenticated(
                                        0,
                                        exchange ->
                                                new StateStream(own, five)
                                                        .writeTo(
                                                                exchange.begin(200),
                                                                () -> false))));
        await().until(() -> a.network().directory().view(1).state().watermark() == 10);
        assertThat(a.network().connections())
                .containsEntry(older.hostPort(), new PeerConnection(5, "", false));
    }

    @Test
    void takesUpTheNewVersionOfANodeThatWasReplaced() throws Exception {
        Node a = start("a", WireVersions.all());
        Node b = start("b", WireVersions.through(5));
        b.own().become(1, 10);
        await().untilAsserted(() -> assertThat(a.read(1)).isEqualTo("b/1"));
        assertThat(version(a, b)).isEqualTo(5);
        for (int newest : new int[] {6, 5}) {
            opened.removeLast().close();
            Node next = start("b" + newest, WireVersions.through(newest), b.address());
            next.own().become(1, 10);
            await().untilAsserted(() -> assertThat(a.read(1)).isEqualTo("b" + newest + "/1"));
            assertThat(version(a, b)).isEqualTo(newest);
        }
    }

    /** The reader's limit is in the request from version 6 on. */
    @Test
    void statesTheSizeOfAnAnswerAboveTheReadersLimit() throws Exception {
        Node a = start("a", WireVersions.all());
        a.own().become(0, 10);
        try (NodeClient node = new NodeClient(SECRETS)) {
            for (WireVersion version : WireVersions.all().spoken()) {
                byte[] question =
                        version.encodeRequest(
                                new WireRequest(new GetRequest(Bytes.utf8("key"), 1), 20));
                NodeClient.Answer answer =
                        node.ask(
                                a.address(),
                                NodeRequest.post(new PeerPaths(version).partition(0), question),
                                Duration.ofSeconds(20),
                                1 << 20);
                if (version.number() == 5) {
                    assertThat(answer.status()).isEqualTo(200);
                } else {
                    assertThat(answer.status()).isEqualTo(413);
                    assertThat(Integer.parseInt(new String(answer.body(), StandardCharsets.UTF_8)))
                            .isGreaterThan(20);
                }
            }
        }
    }
}
