package io.tidemark.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.tidemark.clients.Tool.MissingException;
import io.tidemark.harness.Certificates;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.local.Ports;
import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Unmodified clients log in with a certificate or a token, over both versions of HTTP, to a node
 * that decides by the mirrored cluster's RBAC objects. Their user may read one namespace. They list
 * and watch it, follow changes through a restart of the node, and are refused other namespaces.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LoginsIT {
    private static final String TOKEN = "b1946ac92492d2347c6235b4d2611184";
    private static final String OTHER_NAMESPACE = "ns-2";
    private static final Set<WatchedView> VIEWS = Set.of(WatchedView.ONE_NAMESPACE);
    private static final int CHANGES = 300;

    private static final String RBAC = "rbac.authorization.k8s.io";

    private TestEtcd etcd;
    private Changes changes;
    private TidemarkProcess node;
    private Certificates certificates;
    private Path tokens;
    private int port;

    @TempDir private static Path folder;

    @BeforeAll
    void startNode() throws Exception {
        certificates = Certificates.make(folder.resolve("certificates"));
        certificates.issue("ann", "/O=sailors/CN=ann");
        tokens =
                Files.createFile(
                        folder.resolve("tokens.csv"),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
        Files.writeString(tokens, TOKEN + ",bob,7,sailors\n");
        etcd = new TestEtcd(folder.resolve("outside"));
        changes = new Changes(etcd);
        changes.define();
        grant();
        changes.write(CHANGES);
        port = Ports.pickFree("127.0.0.1");
        start();
    }

    private void start() throws Exception {
        node =
                TidemarkProcess.upAt(
                        port,
                        folder.resolve("data"),
                        etcd.endpoint(),
                        "--authorization",
                        "rbac",
                        "--tls-cert",
                        certificates.file("server.pem").toString(),
                        "--tls-key",
                        certificates.file("server.key").toString(),
                        "--client-ca",
                        certificates.file("ca.pem").toString(),
                        "--token-file",
                        tokens.toString());
    }

    /** The group of both users may read one namespace, and ask about themselves. */
    private void grant() {
        put(
                "clusterroles/reader",
                """
                {"kind":"ClusterRole","apiVersion":"%s/v1","metadata":{"name":"reader"},"rules":[\
                {"verbs":["get","list","watch"],"apiGroups":["","%s"],\
                "resources":["configmaps","pods","buoys"]}]}\
                """
                        .formatted(RBAC, Changes.GROUP));
        put(
                "rolebindings/" + Changes.NAMESPACE + "/reader",
                """
                {"kind":"RoleBinding","apiVersion":"%s/v1","metadata":{"name":"reader",\
                "namespace":"%s"},"roleRef":{"apiGroup":"%1$s","kind":"ClusterRole",\
                "name":"reader"},"subjects":[{"kind":"Group","apiGroup":"%1$s","name":"sailors"}]}\
                """
                        .formatted(RBAC, Changes.NAMESPACE));
        put(
                "clusterroles/basic",
                """
                {"kind":"ClusterRole","apiVersion":"%s/v1","metadata":{"name":"basic"},"rules":[\
                {"verbs":["create"],"apiGroups":["authorization.k8s.io","authentication.k8s.io"],\
                "resources":["selfsubjectaccessreviews","selfsubjectrulesreviews",\
                "selfsubjectreviews"]},{"verbs":["get"],"nonResourceURLs":["/api","/api/*","/apis",\
                "/apis/*","/openapi","/openapi/*","/version"]}]}\
                """
                        .formatted(RBAC));
        put(
                "clusterrolebindings/basic",
                """
                {"kind":"ClusterRoleBinding","apiVersion":"%s/v1","metadata":{"name":"basic"},\
                "roleRef":{"apiGroup":"%1$s","kind":"ClusterRole","name":"basic"},\
                "subjects":[{"kind":"Group","apiGroup":"%1$s","name":"system:authenticated"}]}\
                """
                        .formatted(RBAC));
    }

    private void put(String path, String json) {
        etcd.client().put(Bytes.utf8("/registry/" + path), Bytes.utf8(json));
    }

    private Login certificate(boolean http2) {
        return new Login(
                "https://127.0.0.1:" + port,
                certificates.file("ca.pem"),
                certificates.file("ann.pem"),
                certificates.file("ann.key"),
                null,
                http2);
    }

    private Login token(boolean http2) {
        return new Login(
                "https://127.0.0.1:" + port, certificates.file("ca.pem"), null, null, TOKEN, http2);
    }

    List<Login> logins() {
        return List.of(certificate(false), certificate(true), token(false), token(true));
    }

    @Test
    void clientsFollowWhatTheyMayReadThroughARestart() throws Exception {
        List<InformerClient> clients = new ArrayList<>();
        try {
            for (Login login : logins()) {
                clients.add(new Fabric8Informers(login, VIEWS));
                clients.add(new OfficialInformers(login, VIEWS));
                addTools(clients, login);
            }
            awaitEqual(clients, "at first");
            changes.write(CHANGES);
            awaitEqual(clients, "after changes");
            restart(clients);
            awaitEqual(clients, "after a restart");
            for (InformerClient client : clients) {
                assertThat(client.errors().unexpected()).as(client.name()).isEmpty();
                assertThat(client.statusOfList(OTHER_NAMESPACE)).as(client.name()).isEqualTo(403);
                assertThat(client.statusOfList(Changes.NAMESPACE)).as(client.name()).isEqualTo(200);
            }
        } finally {
            for (InformerClient client : clients) {
                client.close();
            }
        }
    }

    /** Those that are on this machine; the JavaScript client speaks HTTP/1.1 only. */
    private static void addTools(List<InformerClient> clients, Login login) throws Exception {
        try {
            clients.add(new KubectlWatches(Kubectl.find(login, folder), VIEWS));
            if (!login.http2()) {
                clients.add(NodeInformers.start(login, VIEWS));
            }
        } catch (MissingException e) {
            System.out.println(login + ": " + e.getMessage());
        }
    }

    private void restart(List<InformerClient> clients) throws Exception {
        clients.forEach(client -> client.errors().nodeIsAway(true));
        try (ExecutorService writer = Executors.newSingleThreadExecutor()) {
            Future<?> written = writer.submit(() -> changes.write(CHANGES));
            node.stop();
            start();
            written.get();
        }
        for (InformerClient client : clients) {
            client.onNodeReady();
        }
    }

    private void awaitEqual(List<InformerClient> clients, String when) throws Exception {
        for (InformerClient client : clients) {
            Awaitility.await(client.name() + " " + when)
                    .untilAsserted(() ->
                            assertThat(client.contents(WatchedView.ONE_NAMESPACE))
                                    .as("%s: %s", client.name(), client.errors().unexpected())
                                    .isEqualTo(WatchedView.ONE_NAMESPACE.in(etcd)));
            client.errors().nodeIsAway(false);
        }
    }

    @ParameterizedTest
    @MethodSource("logins")
    void theRequestsOfAReflectorAgree(Login login) throws Exception {
        ReflectorIT.check(login.api(), etcd, changes, WatchedView.ONE_NAMESPACE);
    }

    @ParameterizedTest
    @MethodSource("logins")
    void kubectlReadsOneNamespaceAndNamesARefusal(Login login) throws Exception {
        Kubectl kubectl;
        try {
            kubectl = Kubectl.find(login, folder);
        } catch (MissingException e) {
            abort(e.getMessage());
            return;
        }
        String user = login.token() == null ? "ann" : "bob";
        assertThat(kubectl.run("get", "configmaps", "-n", Changes.NAMESPACE)).contains("one-");
        String refused = output(kubectl, "get", "pods", "-n", OTHER_NAMESPACE);
        assertThat(refused)
                .endsWith(
                        "Error from server (Forbidden): pods is forbidden: User \"%s\" cannot list resource \"pods\" in API group \"\" in the namespace \"%s\"\n"
                                .formatted(user, OTHER_NAMESPACE));
        assertThat(kubectl.run("auth", "whoami", "-o", "yaml"))
                .contains("username: " + user)
                .contains("- sailors");
        assertThat(output(kubectl, "auth", "can-i", "list", "pods", "-n", Changes.NAMESPACE))
                .endsWith("yes\n");
        assertThat(output(kubectl, "auth", "can-i", "list", "pods", "-n", OTHER_NAMESPACE))
                .endsWith("no\n");
        assertThat(kubectl.run("auth", "can-i", "--list", "-n", Changes.NAMESPACE))
                .contains("configmaps");
    }

    private static String output(Kubectl kubectl, String... arguments) throws Exception {
        Process process = kubectl.command(arguments).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @AfterAll
    void stopAll() throws Exception {
        if (node != null) {
            node.close();
        }
        if (etcd != null) {
            etcd.close();
        }
    }
}
