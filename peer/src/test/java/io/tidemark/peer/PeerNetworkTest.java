package io.tidemark.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.address.HttpAddress;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.NodeRequest;
import io.tidemark.nodeauth.PeerSecret;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.peer.wire.WireRequest;
import io.tidemark.peer.wire.WireVersion;
import io.tidemark.peer.wire.WireVersions;
import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionView;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ObjectChange;
import io.tidemark.view.request.ReadOutcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeerNetworkTest {
    private static final int PARTITIONS = 3;
    private static final String SECRET = "a-secret-for-tests-only";

    private final Set<String> addresses = new ConcurrentSkipListSet<>();
    private final List<AutoCloseable> opened = new ArrayList<>();

    private record Node(HttpAddress address, TestPartitions own, PeerNetwork network) {
        String read(int partition) {
            return TestPartitions.text(
                    network.directory().view(partition).read(new GetRequest(Bytes.utf8("key"), 1)));
        }
    }

    private Node start(String name, String secret) throws IOException {
        HttpAddress address = new HttpAddress("http", "127.0.0.1", freePort());
        TestPartitions own = new TestPartitions(PARTITIONS, name);
        PeerNetwork network =
                new PeerNetwork(
                        new PeerSettings(address, address, PeerSecrets.of(new PeerSecret(secret))),
                        own,
                        () -> addresses,
                        () -> name.getBytes(StandardCharsets.UTF_8));
        opened.add(network);
        network.start();
        addresses.add(address.hostPort());
        return new Node(address, own, network);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Longer than a machine under load takes. */
    private static ConditionFactory await() {
        return Awaitility.await();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    @Test
    void anyNodeReadsEveryPartition() throws Exception {
        Node a = start("a", SECRET);
        Node b = start("b", SECRET);
        Node c = start("c", SECRET);
        a.own().become(0, 10);
        b.own().become(1, 10);
        c.own().become(2, 10);
        for (Node node : List.of(a, b, c)) {
            await().untilAsserted(() -> {
                assertThat(node.read(0)).isEqualTo("a/0");
                assertThat(node.read(1)).isEqualTo("b/1");
                assertThat(node.read(2)).isEqualTo("c/2");
            });
        }
        await().untilAsserted(() -> {
            Map<String, Optional<byte[]>> nodes = a.network().nodes();
            assertThat(nodes).containsOnlyKeys(b.address().hostPort(), c.address().hostPort());
            assertThat(nodes.get(b.address().hostPort()))
                    .hasValueSatisfying(report -> assertThat(report).asString().isEqualTo("b"));
        });
    }

    @Test
    void readsAnAnswerThatIsLargerThanExpected() throws Exception {
        String large = "x".repeat(5 << 20);
        Node a = start("a", SECRET);
        Node b = start(large, SECRET);
        b.own().become(1, 10);
        await().until(() -> a.read(1).equals(large + "/1"));
    }

    @Test
    void readsAPartitionWhereItMovedTo() throws Exception {
        Node a = start("a", SECRET);
        Node b = start("b", SECRET);
        Node c = start("c", SECRET);
        List<Long> watermarks = new CopyOnWriteArrayList<>();
        a.network()
                .directory()
                .view(1)
                .onChange(
                        () -> watermarks.add(a.network().directory().view(1).state().watermark()));
        b.own().become(1, 10);
        await().untilAsserted(() -> assertThat(a.read(1)).isEqualTo("b/1"));
        c.own().become(1, 11);
        await().until(() -> watermarks.contains(11L));
        b.own().lose(1);
        await().untilAsserted(() -> assertThat(a.read(1)).isEqualTo("c/1"));
        addresses.remove(c.address().hostPort());
        await().untilAsserted(() -> assertThat(a.read(1)).contains("no replica"));
    }

    @Test
    void readsAnotherReplicaWhenANodeEnds() throws Exception {
        Node a = start("a", SECRET);
        Node b = start("b", SECRET);
        Node c = start("c", SECRET);
        b.own().become(1, 10);
        c.own().become(1, 10);
        await().until(() -> a.read(1).equals("b/1") || a.read(1).equals("c/1"));
        b.network().close();
        await().untilAsserted(() -> assertThat(a.read(1)).isEqualTo("c/1"));
        c.network().close();
        await().until(() -> !a.network().directory().view(1).state().ready());
    }

    @Test
    void readsALeavingNodeOnlyWithoutAnotherReplica() throws Exception {
        Node a = start("a", SECRET);
        Node b = start("b", SECRET);
        Node c = start("c", SECRET);
        b.own().become(0, 10);
        b.own().become(1, 10);
        c.own().become(1, 10);
        for (Node node : List.of(a, b, c)) {
            await().until(() -> node.network().directory().view(0).state().ready());
            await().until(() -> node.network().directory().view(1).state().ready());
        }
        await().until(() -> b.network().nodes().size() == 2); // A leaving node meets no new ones.
        assertThat(b.network().leave()).isFalse(); // Partition 0 has no other replica.
        await().untilAsserted(() -> {
            assertThat(a.read(1)).isEqualTo("c/1");
            assertThat(a.read(0)).isEqualTo("b/0");
        });
        b.own().lose(1);
        await().untilAsserted(() -> assertThat(b.read(1)).isEqualTo("c/1"));
    }

    @Test
    void leaveReportsWhetherOthersServeAllPartitions() throws Exception {
        Node a = start("a", SECRET);
        Node b = start("b", SECRET);
        a.own().become(0, 10);
        b.own().become(0, 10);
        for (Node node : List.of(a, b)) {
            await().until(() -> node.network().nodes().size() == 1);
        }
        // The other's replica is known once it serves reads while this node's own is missing.
        a.own().lose(0);
        await().untilAsserted(() -> assertThat(a.read(0)).isEqualTo("b/0"));
        a.own().become(0, 10);
        await().until(() -> a.network().leave());
        addresses.clear(); // No longer a member, it still reads from the nodes it knew.
        a.own().lose(0);
        await().untilAsserted(() -> assertThat(a.read(0)).isEqualTo("b/0"));
        await().until(() -> b.network().nodes().isEmpty());
        await().untilAsserted(() -> assertThat(a.read(0)).isEqualTo("b/0"));
        assertThat(b.network().leave()).isFalse();
    }

    @Test
    void servesPushedChangesWithoutARequest() throws Exception {
        Node a = start("a", SECRET);
        Node b = start("b", SECRET);
        b.own().become(1, 10);
        PartitionView view = a.network().directory().view(1);
        await().until(() -> view.state().watermark() == 10);
        await().untilAsserted(() ->
                assertThat(changes(view, 9))
                        .isEqualTo(new ReadOutcome.Served<>(new ChangePage(List.of(), 10))));

        // A link that was slow once pushes no changes until the next request.
        await().untilAsserted(() -> {
            b.own().muteChanges(1, false);
            long before = b.own().view(1).state().watermark();
            await().until(() -> changes(view, 9) instanceof ReadOutcome.Served<ChangePage>);
            List<ObjectChange> sent = new ArrayList<>();
            for (long revision = before + 1; revision < before + 4; revision++) {
                sent.add(TestObjects.change(revision, 0, "/a", 10));
                b.own().change(1, sent.getLast());
            }
            await().until(() -> view.state().watermark() == before + 3);
            b.own().muteChanges(1, true);
            assertThat(changes(view, before))
                    .isEqualTo(new ReadOutcome.Served<>(new ChangePage(sent, before + 3)));
        });
        assertThat(changes(view, 9)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
        b.own().lose(1);
        await().until(() -> !view.state().ready());
        assertThat(changes(view, 10)).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
    }

    private static ReadOutcome<ChangePage> changes(PartitionView view, long after) {
        return view.read(
                new ChangesRequest(Bytes.EMPTY, after, view.state().watermark(), 1_000, 1_000_000));
    }

    @Test
    void answersNothingWithoutTheSecret() throws Exception {
        Node a = start("a", SECRET);
        Node b = start("b", SECRET + "-another");
        a.own().become(0, 10);
        try (TestHttpClient http = new TestHttpClient(a.address().toString())) {
            PeerPaths paths = new PeerPaths(WireVersions.all().newest());
            for (String path : List.of(PeerPaths.VERSIONS, paths.states(), paths.node())) {
                TestHttpClient.Answer answer = http.get(path);
                assertThat(answer.status()).isEqualTo(401);
                assertThat(answer.text()).doesNotContain("a/0");
            }
        }
        assertThat(b.read(0)).contains("no replica");
    }

    /** Like a stopped process: it accepts connections and never answers. */
    @Test
    void doesNotWaitForASilentNode() throws Exception {
        Node a = start("a", SECRET);
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            List<Socket> taken = new CopyOnWriteArrayList<>();
            Thread taking =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    while (true) {
                                        taken.add(silent.accept());
                                    }
                                } catch (IOException _) {
                                    // The end of the test.
                                }
                            });
            addresses.add("127.0.0.1:" + silent.getLocalPort());
            await().until(() -> taken.size() > 1);
            a.own().become(0, 10);
            await().untilAsserted(() -> assertThat(a.read(0)).isEqualTo("a/0"));
            silent.close();
            taking.join();
        }
    }

    @Test
    void refusesGarbageWithAStatus() throws Exception {
        Node a = start("a", SECRET);
        byte[] garbage = {1, 2};
        WireVersion version = WireVersions.all().newest();
        PeerPaths paths = new PeerPaths(version);
        byte[] question =
                version.encodeRequest(
                        new WireRequest(new GetRequest(Bytes.utf8("key"), 1), Long.MAX_VALUE));
        try (NodeClient node = new NodeClient(PeerSecrets.of(new PeerSecret(SECRET)))) {
            for (int partition : List.of(0, 99, -1)) {
                assertThat(status(node, a, paths.partition(partition), garbage)).isEqualTo(400);
            }
            assertThat(status(node, a, paths.partitions() + "x", question)).isEqualTo(400);
            assertThat(status(node, a, paths.partition(99), question)).isEqualTo(404);
            assertThat(status(node, a, paths.partition(-1), question)).isEqualTo(404);
            assertThat(status(node, a, paths.partition(0), question)).isEqualTo(200);
        }
    }

    private static int status(NodeClient node, Node asked, String path, byte[] question)
            throws Exception {
        return node.ask(
                        asked.address(),
                        NodeRequest.post(path, question),
                        Duration.ofSeconds(20),
                        1 << 20)
                .status();
    }
}
