package io.tidemark.revocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.credentials.CertificateAuthority;
import io.tidemark.credentials.CertificateAuthority.Use;
import io.tidemark.credentials.TlsContexts;
import io.tidemark.credentials.TlsIdentity;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.http.testing.TestHttpClient.LineStream;
import io.tidemark.local.Ports;
import io.tidemark.revocation.MountedFiles.Content;
import io.tidemark.waits.LongTest;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node's certificate, authorities, tokens and policy are exchanged under 100 watches and 50
 * requests a second. No request of a caller that keeps its right fails, and watches of those that
 * lose theirs end. Prints how soon each file is in force.
 */
@LongTest
class ReloadIT {
    private static final String LIST = "/api/v1/namespaces/harbour/configmaps";

    /** Any state: what is tested are rights, not how fresh a busy machine can be. */
    private static final String READ = LIST + "?resourceVersion=0";

    private static final String WATCH = LIST + "?watch=1&timeoutSeconds=600&resourceVersion=";
    private static final String KEPT = "kept,kept,1\nlimited,limited,2\n";

    /** As a node's log names them. */
    private static final List<String> FILES =
            List.of(
                    "the TLS certificate",
                    "the file of client authorities",
                    "the token file",
                    "the policy file");

    private static final CertificateAuthority SERVERS = authority("servers");
    private static final CertificateAuthority OLD_CLIENTS = authority("old-clients");
    private static final CertificateAuthority NEW_CLIENTS = authority("new-clients");

    private final List<Watch> watches = new ArrayList<>();
    private int port;

    @TempDir private Path folder;

    /** An open watch and the thread that reads it. */
    private static final class Watch {
        private final String caller;
        private volatile String newest = "";
        private volatile boolean ended;

        Watch(TestHttpClient client, String caller, String revision, String... headers)
                throws Exception {
            this.caller = caller;
            LineStream lines = client.open(WATCH + revision, headers);
            assertThat(lines.status()).isEqualTo(200);
            Thread.ofVirtual().start(() -> read(lines));
        }

        private void read(LineStream lines) {
            try (lines) {
                for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
                    newest = line.get();
                }
            } catch (IOException _) {
                // The same as the end of the stream.
            }
            ended = true;
        }
    }

    @Test
    void exchangedFilesAreInForceAndFailNoRequest() throws Exception {
        Content content =
                new Content(
                        server(),
                        OLD_CLIENTS.identity().chain(),
                        KEPT + "lost,lost,3\n",
                        policy("kept", "lost", "limited", "ann", "ben", "new"));
        MountedFiles files = new MountedFiles(folder.resolve("mounted"), content);
        port = Ports.pickFree("127.0.0.1");
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"));
                TidemarkProcess node = start(etcd, files);
                TestHttpClient client = client(Optional.empty())) {
            open(client, Long.toString(etcd.putConfigMap("harbour", "first", "1")));
            try (RequestLoad load =
                    new RequestLoad(
                            () -> client(Optional.empty()), READ, "Authorization", "Bearer kept")) {
                exchange(node, files, content, client);
                int sent = load.sent();
                await().until(() -> load.sent() > sent + 50);
                System.out.printf("%d requests, %d failed%n", load.sent(), load.failures().size());
                assertThat(load.failures()).isEmpty();
            }
            etcd.putConfigMap("harbour", "last", "1");
            await().until(() -> of("kept").stream().allMatch(w -> w.newest.contains("\"last\"")));
            assertThat(of("kept")).noneMatch(watch -> watch.ended);
            assertThat(watches)
                    .filteredOn(watch -> !watch.caller.equals("kept"))
                    .noneMatch(watch -> watch.newest.contains("\"last\""));
            assertThat(node.isAlive()).isTrue();
        }
    }

    private void open(TestHttpClient client, String revision) throws Exception {
        for (int i = 0; i < 100; i++) {
            String caller = i < 50 ? "kept" : i < 70 ? "lost" : i < 90 ? "limited" : "ann";
            watches.add(
                    caller.equals("ann")
                            ? new Watch(
                                    client(Optional.of(certificate(OLD_CLIENTS, "ann"))),
                                    caller,
                                    revision)
                            : new Watch(
                                    client, caller, revision, "Authorization", "Bearer " + caller));
        }
    }

    private void exchange(
            TidemarkProcess node, MountedFiles files, Content first, TestHttpClient client)
            throws Exception {
        Content server = new Content(server(), first.clients(), first.tokens(), first.policy());
        files.exchange(server);
        TlsIdentity ann = certificate(OLD_CLIENTS, "ann");
        X509Certificate shown = server.server().certificate();
        inForce("the certificate", () -> shownCertificate().equals(shown));

        int logged = node.log().length();
        files.empty();
        for (String file : FILES) {
            String kept = "cannot use " + file + ", keeping its previous content";
            // The certificate's connection makes the node read its files again.
            await(kept).until(() -> accepts(ann) && node.log().substring(logged).contains(kept));
        }
        assertThat(shownCertificate()).isEqualTo(shown);
        assertThat(status(client, "Bearer lost")).isEqualTo(200);

        String tokens = KEPT + "new,new,4\n";
        Content fewer = new Content(server.server(), first.clients(), tokens, first.policy());
        files.exchange(fewer);
        inForce("a new token", () -> status(client, "Bearer new") == 200);
        inForce("the loss of a token", () -> status(client, "Bearer lost") == 401);
        ended("lost");

        String policy = policy("kept", "ann", "ben");
        Content limited = new Content(server.server(), first.clients(), tokens, policy);
        files.exchange(limited);
        inForce("the policy", () -> status(client, "Bearer limited") == 403);
        ended("limited");

        assertThat(of("ann")).noneMatch(watch -> watch.ended);
        List<X509Certificate> authorities = NEW_CLIENTS.identity().chain();
        files.exchange(new Content(server.server(), authorities, tokens, policy));
        inForce("new authorities", () -> accepts(certificate(NEW_CLIENTS, "ben")));
        assertThat(accepts(ann)).isFalse();
        ended("ann");
    }

    private static void inForce(String what, Callable<Boolean> condition) {
        long began = System.nanoTime();
        await(what).pollInterval(Duration.ofMillis(50)).until(condition);
        System.out.printf(
                "%s: in force after %d ms%n",
                what, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    }

    private void ended(String caller) {
        inForce(
                "the end of " + caller + "'s watches",
                () -> of(caller).stream().allMatch(watch -> watch.ended));
    }

    private List<Watch> of(String caller) {
        return watches.stream().filter(watch -> watch.caller.equals(caller)).toList();
    }

    private static int status(TestHttpClient client, String authorization) throws Exception {
        return client.get(READ, "Authorization", authorization).status();
    }

    private boolean accepts(TlsIdentity certificate) throws InterruptedException {
        try (TestHttpClient client = client(Optional.of(certificate))) {
            return client.get(READ).status() == 200;
        } catch (IOException _) {
            return false; // Refused in the handshake.
        }
    }

    private X509Certificate shownCertificate() throws IOException {
        try (SSLSocket socket =
                (SSLSocket)
                        TlsContexts.of(Optional.empty(), SERVERS.identity().chain())
                                .getSocketFactory()
                                .createSocket("127.0.0.1", port)) {
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    private TestHttpClient client(Optional<TlsIdentity> identity) {
        return new TestHttpClient(
                "https://127.0.0.1:" + port,
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(TlsContexts.of(identity, SERVERS.identity().chain()))
                        .build());
    }

    private TidemarkProcess start(TestEtcd etcd, MountedFiles files) throws Exception {
        return TidemarkProcess.upAt(
                port,
                folder.resolve("node"),
                etcd.endpoint(),
                "--tls-cert=" + files.path("tls.crt"),
                "--tls-key=" + files.path("tls.key"),
                "--client-ca=" + files.path("client-ca.crt"),
                "--token-file=" + files.path("tokens.csv"),
                "--authorization=policy",
                "--policy=" + files.path("policy.yaml"));
    }

    private static CertificateAuthority authority(String name) {
        return CertificateAuthority.create(name, InstantSource.system());
    }

    private static TlsIdentity server() {
        return SERVERS.issue("CN=node", List.of("127.0.0.1"), Use.SERVER);
    }

    private static TlsIdentity certificate(CertificateAuthority authority, String user) {
        return authority.issue("CN=" + user, List.of(), Use.CLIENT);
    }

    private static String policy(String... users) {
        StringBuilder text =
                new StringBuilder(
                        """
                        kind: ClusterRole
                        apiVersion: rbac.authorization.k8s.io/v1
                        metadata: {name: reader}
                        rules:
                        - {verbs: [list, watch], apiGroups: [""], resources: [configmaps]}
                        """);
        for (String user : users) {
            text.append(
                    """
                    ---
                    kind: ClusterRoleBinding
                    apiVersion: rbac.authorization.k8s.io/v1
                    metadata: {name: %1$s}
                    subjects: [{kind: User, name: %1$s, apiGroup: rbac.authorization.k8s.io}]
                    roleRef: {kind: ClusterRole, name: reader, apiGroup: rbac.authorization.k8s.io}
                    """
                            .formatted(user));
        }
        return text.toString();
    }
}
