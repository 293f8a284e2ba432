package io.tidemark.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.address.HttpAddress;
import io.tidemark.credentials.CertificateAuthority;
import io.tidemark.credentials.CertificateAuthority.Use;
import io.tidemark.credentials.MutualTls;
import io.tidemark.credentials.PemWriter;
import io.tidemark.credentials.TlsContexts;
import io.tidemark.credentials.TlsIdentity;
import io.tidemark.nodeauth.NodeAuthProtocol;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.NodeRequest;
import io.tidemark.nodeauth.PeerSecret;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.peer.wire.WireVersions;
import io.tidemark.record.Bytes;
import io.tidemark.view.request.GetRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutualTlsTest {
    private static final PeerSecrets SECRETS = PeerSecrets.of(new PeerSecret("0123456789abcdef"));
    private static final List<String> HERE = List.of("127.0.0.1");

    private final CertificateAuthority group = authority("group");
    private final Set<String> addresses = new ConcurrentSkipListSet<>();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @TempDir Path folder;

    private record Node(HttpAddress address, TestPartitions own, PeerNetwork network) {
        String read(int partition) {
            return TestPartitions.text(
                    network.directory().view(partition).read(new GetRequest(Bytes.utf8("key"), 1)));
        }
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    @Test
    void nodesOfOneAuthorityReadFromEachOther() throws Exception {
        Node a = start("a", Optional.of(member("a", group, HERE, group)));
        Node b = start("b", Optional.of(member("b", group, HERE, group)));
        a.own().become(0, 10);
        b.own().become(1, 10);
        await().untilAsserted(() -> {
            assertThat(a.read(1)).isEqualTo("b/1");
            assertThat(b.read(0)).isEqualTo("a/0");
        });
    }

    @Test
    void aNodeIsNotItsOwnPeer() throws Exception {
        Node a = start("a", Optional.of(member("a", group, HERE, group)));
        Node b = start("b", Optional.of(member("b", group, HERE, group)));
        await().untilAsserted(() ->
                assertThat(a.network().connections()).containsOnlyKeys(b.address().hostPort()));
    }

    @Test
    void nodesAreReadWithNewCertificatesOfANewAuthority() throws Exception {
        CertificateAuthority next = authority("next");
        Node a = start("a", Optional.of(member("a", group, HERE, group, next)));
        Node b = start("b", Optional.of(member("b", group, HERE, group, next)));
        b.own().become(1, 10);
        await().until(() -> a.read(1).equals("b/1"));
        write("a", next, HERE, List.of(next));
        write("b", next, HERE, List.of(next));
        // A client that knows the new authority only connects when the server has changed.
        try (NodeClient late = client(member("late", next, HERE, next))) {
            await().ignoreExceptions().until(() -> ask(late, b) == 200);
        }
        // And one of the old authority only is refused from then on.
        try (NodeClient old = client(member("old", group, HERE, group, next))) {
            assertThatThrownBy(() -> ask(old, b)).isInstanceOf(IOException.class);
        }
        await().until(() -> a.read(1).equals("b/1"));
    }

    @Test
    void aMemberOfAnotherAuthorityIsRefused() throws Exception {
        CertificateAuthority foreign = authority("foreign");
        Node node = start("a", Optional.of(member("a", group, HERE, group)));
        try (NodeClient stranger = client(member("stranger", foreign, HERE, group))) {
            assertThatThrownBy(() -> ask(stranger, node)).isInstanceOf(IOException.class);
        }
        try (NodeClient member = client(member("member", group, HERE, group))) {
            assertThat(ask(member, node)).isEqualTo(200);
        }
    }

    @Test
    void aServerOfAnotherAuthorityOrAddressIsRefused() throws Exception {
        CertificateAuthority foreign = authority("foreign");
        Node impostor = start("a", Optional.of(member("a", foreign, HERE, foreign, group)));
        Node elsewhere =
                start("b", Optional.of(member("b", group, List.of("node.example"), group)));
        try (NodeClient member = client(member("member", group, HERE, group))) {
            assertThatThrownBy(() -> ask(member, impostor)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> ask(member, elsewhere)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aMemberDoesNotSpeakPlainHttp() throws Exception {
        Node plain = start("a", Optional.empty());
        try (NodeClient member = client(member("member", group, HERE, group))) {
            assertThatThrownBy(() -> ask(member, plain)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void theSecretIsNotEnoughWithoutACertificate() throws Exception {
        Node node = start("a", Optional.of(member("a", group, HERE, group)));
        SSLContext nobody =
                TlsContexts.of(Optional.empty(), List.of(group.identity().certificate()));
        try (HttpClient http = HttpClient.newBuilder().sslContext(nobody).build()) {
            for (HttpRequest request :
                    List.of(
                            post(node, NodeAuthProtocol.HELLO),
                            post(node, NodeAuthProtocol.OPEN),
                            HttpRequest.newBuilder(node.address().resolve(PeerPaths.VERSIONS))
                                    .build())) {
                HttpResponse<String> answer =
                        http.send(request, HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).as(request.toString()).isEqualTo(403);
                assertThat(answer.body()).isEqualTo("needs a certificate of the group\n");
            }
        }
    }

    /** Without a body: the server resets an HTTP/2 stream when it refuses before the body came. */
    private static HttpRequest post(Node node, String path) {
        return HttpRequest.newBuilder(node.address().resolve(path))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
    }

    private static int ask(NodeClient client, Node node) throws Exception {
        return client.ask(
                        node.address(),
                        NodeRequest.get(PeerPaths.VERSIONS),
                        Duration.ofSeconds(20),
                        1 << 20)
                .status();
    }

    private NodeClient client(MutualTls tls) {
        return new NodeClient(SECRETS, Optional.of(tls));
    }

    private Node start(String name, Optional<MutualTls> tls) throws IOException {
        HttpAddress plain = new HttpAddress("http", "127.0.0.1", freePort());
        TestPartitions own = new TestPartitions(3, name);
        PeerSettings settings = new PeerSettings(plain, plain, SECRETS, WireVersions.all(), tls);
        PeerNetwork network =
                new PeerNetwork(settings, own, () -> addresses, () -> Bytes.utf8(name).array());
        opened.add(network);
        network.start();
        addresses.add(plain.hostPort());
        return new Node(settings.advertise(), own, network);
    }

    private MutualTls member(
            String name,
            CertificateAuthority issuer,
            List<String> hosts,
            CertificateAuthority... trusted)
            throws IOException {
        write(name, issuer, hosts, List.of(trusted));
        return new MutualTls(file(name, "crt"), file(name, "key"), file(name, "ca"));
    }

    private void write(
            String name,
            CertificateAuthority issuer,
            List<String> hosts,
            List<CertificateAuthority> trusted)
            throws IOException {
        TlsIdentity made = issuer.issue("CN=" + name, hosts, Use.BOTH);
        for (String kind : List.of("crt", "key", "ca")) {
            Files.deleteIfExists(file(name, kind));
        }
        PemWriter.write(file(name, "crt"), made.chain());
        PemWriter.writeKey(file(name, "key"), made);
        PemWriter.write(
                file(name, "ca"),
                trusted.stream().map(each -> each.identity().certificate()).toList());
    }

    private Path file(String name, String kind) {
        return folder.resolve(name + "." + kind);
    }

    private static CertificateAuthority authority(String name) {
        return CertificateAuthority.create(name, InstantSource.system());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
