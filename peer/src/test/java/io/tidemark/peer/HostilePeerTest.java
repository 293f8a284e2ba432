package io.tidemark.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.address.HttpAddress;
import io.tidemark.http.testing.RawHttp;
import io.tidemark.nodeauth.PeerSecret;
import io.tidemark.nodeauth.PeerSecretFile;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.record.Bytes;
import io.tidemark.view.request.GetRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The group names an address that is not one of its nodes, or a proxy in front of one. */
@Execution(ExecutionMode.CONCURRENT)
class HostilePeerTest {
    private static final String SECRET = "a-secret-for-tests-only";

    @TempDir private Path folder;
    private final Set<String> addresses = new ConcurrentSkipListSet<>();
    private final List<AutoCloseable> opened = new ArrayList<>();

    private record Node(TestPartitions own, PeerNetwork network) {
        String read() {
            return TestPartitions.text(
                    network.directory().view(0).read(new GetRequest(Bytes.utf8("key"), 1)));
        }
    }

    private Node start(String name, int port, int advertised, PeerSecrets secrets) {
        HttpAddress listen = new HttpAddress("http", "127.0.0.1", port);
        HttpAddress advertise = new HttpAddress("http", "127.0.0.1", advertised);
        TestPartitions own = new TestPartitions(1, name);
        PeerNetwork network =
                new PeerNetwork(
                        new PeerSettings(listen, advertise, secrets),
                        own,
                        () -> addresses,
                        () -> name.getBytes(StandardCharsets.UTF_8));
        opened.add(network);
        network.start();
        addresses.add(advertise.hostPort());
        return new Node(own, network);
    }

    private Node start(String name, int port, int advertised) {
        return start(name, port, advertised, PeerSecrets.of(new PeerSecret(SECRET)));
    }

    private Node start(String name) throws IOException {
        int port = freePort();
        return start(name, port, port);
    }

    private RecordingProxy tap(int target) throws IOException {
        RecordingProxy tap = new RecordingProxy(target, piece -> piece);
        opened.add(tap);
        return tap;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    @Test
    void listenerReceivesNoSecret() throws Exception {
        start("a");
        RecordingProxy silent = tap(0);
        addresses.add("127.0.0.1:" + silent.port());
        await().until(() -> silent.asked().size() > 1);
        for (String each : silent.asked()) {
            assertThat(each)
                    .startsWith("POST /node-auth/v1/hello ")
                    .doesNotContain(SECRET, "Authorization", "Tidemark-Proof");
        }
    }

    /** The proxy lets a node behind it prove itself, under an address that is not that node's. */
    @Test
    void proxyInFrontOfANodeReadsNothing() throws Exception {
        Node a = start("a");
        int port = freePort();
        Node b = start("b", port, port);
        b.own().become(0, 10);
        addresses.remove("127.0.0.1:" + port);
        RecordingProxy between = tap(port);
        addresses.add("127.0.0.1:" + between.port());
        await().until(() -> between.count(" /node-auth/v1/hello ") > 2);
        assertThat(a.read()).contains("no replica");
        assertThat(text(between.answered)).contains("421").doesNotContain("b/0");
    }

    /** A node of another group, with another secret. */
    @Test
    void rejectsANodeWithAnotherSecret() throws Exception {
        Node a = start("a");
        int port = freePort();
        Node forger = start("forged", port, port, PeerSecrets.of(new PeerSecret(SECRET + "-not")));
        forger.own().become(0, 1_000);
        RecordingProxy between = tap(port);
        addresses.add("127.0.0.1:" + between.port());
        await().until(() -> between.count(" /node-auth/v1/hello ") > 2);
        assertThat(a.network().directory().view(0).state().ready()).isFalse();
        assertThat(a.read()).contains("no replica");
        assertThat(forger.read()).isEqualTo("forged/0");
    }

    @Test
    void refusesReplayedRequests() throws Exception {
        Node a = start("a");
        int port = freePort();
        RecordingProxy between = tap(port);
        Node b = start("b", port, between.port());
        b.own().become(0, 10);
        await().until(() -> a.read().equals("b/0"));
        List<String> requests =
                between.asked().stream().filter(each -> each.contains("Tidemark-Proof")).toList();
        assertThat(requests).isNotEmpty();
        for (String each : requests) {
            assertThat(each).doesNotContain(SECRET);
            String recorded = each.replaceFirst("(?s)^.*?(?=(GET|POST) /peer/)", "");
            try (RawHttp connection = RawHttp.connect("http://127.0.0.1:" + port)) {
                connection.send(recorded);
                connection.endOutput();
                assertThat(connection.response().text())
                        .startsWith("HTTP/1.1 401 ")
                        .doesNotContain("b/0");
            }
        }
    }

    @Test
    void rejectsTamperedStates() throws Exception {
        Node a = start("a");
        int port = freePort();
        AtomicInteger changed = new AtomicInteger();
        long revision = 0x0123456789abcdefL;
        byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(revision).array();
        String watermark = new String(bytes, StandardCharsets.ISO_8859_1);
        RecordingProxy between =
                new RecordingProxy(
                        port,
                        piece -> {
                            String text = new String(piece, StandardCharsets.ISO_8859_1);
                            int at = text.indexOf(watermark);
                            if (at >= 0) {
                                changed.incrementAndGet();
                                piece[at] ^= 1;
                            }
                            return piece;
                        });
        opened.add(between);
        Node b = start("b", port, between.port());
        b.own().become(0, revision);
        await().until(() -> changed.get() > 1);
        assertThat(a.network().directory().view(0).state().ready()).isFalse();
        assertThat(a.read()).contains("no replica");
    }

    @Test
    void rotatesTheSecretInThreeSteps() throws Exception {
        PeerSecretFile ofA = new PeerSecretFile(secrets("a", "the-old-secret-of-all"));
        PeerSecretFile ofB = new PeerSecretFile(secrets("b", "the-old-secret-of-all"));
        int portOfA = freePort();
        Node a = start("a", portOfA, portOfA, ofA);
        int port = freePort();
        Node b = start("b", port, port, ofB);
        b.own().become(0, 10);
        await().until(() -> a.read().equals("b/0"));
        for (List<String> next :
                List.of(
                        List.of("the-old-secret-of-all", "the-new-secret-of-all"),
                        List.of("the-new-secret-of-all", "the-old-secret-of-all"),
                        List.of("the-new-secret-of-all"))) {
            for (Map.Entry<String, PeerSecretFile> each :
                    List.of(Map.entry("a", ofA), Map.entry("b", ofB))) {
                secrets(each.getKey(), String.join("\n", next));
                List<PeerSecret> accepted = next.stream().map(PeerSecret::new).toList();
                await().until(() -> each.getValue().current().equals(accepted));
                await().until(() -> a.read().equals("b/0"));
            }
        }
        // A node that knows only the old secret is excluded.
        int late = freePort();
        Node c = start("c", late, late, PeerSecrets.of(new PeerSecret("the-old-secret-of-all")));
        c.own().become(0, 99);
        await().until(() -> c.read().equals("c/0"));
        assertThat(a.read()).isEqualTo("b/0");
        secrets("a", "a-third-secret-of-none");
        await().until(() -> a.read().contains("no replica"));
    }

    private Path secrets(String name, String text) throws IOException {
        Path next =
                Files.createFile(
                        folder.resolve(name + ".new"),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
        Files.writeString(next, text + "\n");
        return Files.move(
                next,
                folder.resolve(name),
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.ATOMIC_MOVE);
    }
}
