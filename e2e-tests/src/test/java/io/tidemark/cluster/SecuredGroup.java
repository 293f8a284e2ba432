package io.tidemark.cluster;

import io.tidemark.harness.Api;
import io.tidemark.harness.OwnKafka;
import io.tidemark.harness.Security;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkJvm;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.http.testing.TcpProxy;
import io.tidemark.local.Ports;
import io.tidemark.local.kafka.KafkaUser;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * etcd, a broker with logins, a connector and two nodes with logins and a policy. The second node
 * advertises an address at which a {@link Tap} records and may change what passes.
 */
final class SecuredGroup implements AutoCloseable {
    static final String PEER_SECRET = "the-secret-of-honest-members";
    static final String TOKEN = "the-token-of-a-client";
    private static final String HOST = "127.0.0.1";

    private static final String POLICY =
            """
            kind: ClusterRole
            apiVersion: rbac.authorization.k8s.io/v1
            metadata: {name: maps}
            rules:
            - {verbs: [get, list, watch], apiGroups: [""], resources: [configmaps]}
            - {verbs: [get], nonResourceURLs: ["/cluster"]}
            ---
            kind: ClusterRoleBinding
            apiVersion: rbac.authorization.k8s.io/v1
            metadata: {name: jane}
            subjects: [{kind: User, name: jane}]
            roleRef: {kind: ClusterRole, name: maps}
            """;

    private final Path folder;
    private final Security security;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final String broker = HOST + ":" + Ports.pickFree(HOST);
    private final int peerPort = Ports.pickFree(HOST);
    private final TestEtcd etcd;
    private final Tap tap = new Tap();
    private final TidemarkProcess asked;
    private final TidemarkProcess other;
    private final Api reader;

    /** Returns when all of them are ready. */
    SecuredGroup(Path folder, Security security) throws Exception {
        this.folder = folder;
        this.security = security;
        try {
            etcd = open(new TestEtcd(folder.resolve("etcd"), security));
            String data = folder.resolve("broker").toString();
            int port = Integer.parseInt(broker.substring(HOST.length() + 1));
            start("broker", port, List.of("broker", "--listen", broker, "--data", data));
            startConnector();
            TcpProxy between = open(new TcpProxy(new InetSocketAddress(HOST, peerPort), tap));
            other =
                    node(
                            "other",
                            "--peer-listen",
                            HOST + ":" + peerPort,
                            "--peer-advertise",
                            HOST + ":" + between.port());
            asked = node("asked", "--peer-listen", HOST + ":" + Ports.pickFree(HOST));
            reader = new Api(asked.api().url(), security.clientWithoutCertificate());
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    private void startConnector() throws Exception {
        int port = Ports.pickFree(HOST);
        start(
                "connector",
                port,
                List.of(
                        "connector",
                        "--etcd",
                        etcd.endpoint(),
                        "--kafka",
                        broker,
                        "--kafka-config",
                        login(KafkaUser.CONNECTOR),
                        "--partitions",
                        "4",
                        "--listen",
                        HOST + ":" + port,
                        "--peer-secret-file",
                        secret(PEER_SECRET)));
    }

    private List<String> nodeArguments(String name, String secret, int port, String... more)
            throws Exception {
        List<String> arguments = new ArrayList<>(List.of("node", "--kafka", broker));
        arguments.addAll(List.of("--kafka-config", login(KafkaUser.NODE)));
        arguments.addAll(List.of("--data", folder.resolve(name).toString()));
        arguments.addAll(List.of("--listen", HOST + ":" + port));
        arguments.addAll(List.of("--peer-secret-file", secret(secret)));
        arguments.addAll(List.of("--token-file", file("tokens", TOKEN + ",jane,7\n")));
        arguments.addAll(List.of("--authorization", "policy", "--policy", policy()));
        arguments.addAll(List.of("--standbys", "0"));
        arguments.addAll(List.of(more));
        return arguments;
    }

    private TidemarkProcess node(String name, String... more) throws Exception {
        int port = Ports.pickFree(HOST);
        return start(name, port, nodeArguments(name, PEER_SECRET, port, more));
    }

    /**
     * Starts a member that has the Kafka login of nodes and another peer secret. It never becomes
     * ready, since no node answers it.
     *
     * @param advertised where it says that others reach it
     */
    Process startImpostor(String advertised) throws Exception {
        List<String> arguments =
                nodeArguments(
                        "impostor",
                        "a-secret-of-another-group",
                        Ports.pickFree(HOST),
                        "--peer-listen",
                        HOST + ":" + Ports.pickFree(HOST),
                        "--peer-advertise",
                        advertised);
        Path log = folder.resolve("impostor.log");
        ProcessBuilder builder =
                new ProcessBuilder(TidemarkJvm.tidemark(List.of("-Xmx256m"), arguments))
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        builder.environment().putAll(security.environment(arguments));
        Process process = builder.start();
        opened.add(process::destroyForcibly);
        return process;
    }

    private String policy() throws Exception {
        return file("policy", POLICY);
    }

    private TidemarkProcess start(String name, int port, List<String> arguments) throws Exception {
        Path log = folder.resolve(name + ".log");
        List<String> jvm = List.of("-Xmx320m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
        return open(TidemarkProcess.start(port, log, jvm, arguments, security));
    }

    private String login(KafkaUser user) {
        return OwnKafka.config(folder.resolve("broker"), user).toString();
    }

    private String secret(String text) throws Exception {
        return file(text, text);
    }

    private String file(String name, String text) throws Exception {
        Path file = folder.resolve(name);
        if (!Files.exists(file)) {
            Files.createFile(
                    file,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, text);
        }
        return file.toString();
    }

    <T extends AutoCloseable> T open(T resource) {
        opened.add(resource);
        return resource;
    }

    TestEtcd etcd() {
        return etcd;
    }

    /** Between the two nodes. */
    Tap tap() {
        return tap;
    }

    /** The second node's own address for peers, behind the tap. */
    String peerUrl() {
        return "http://" + HOST + ":" + peerPort;
    }

    /** What the first node answers to the client with the token. */
    Api.Answer ask(String path) throws Exception {
        return reader.send(reader.request(path).header("Authorization", "Bearer " + TOKEN));
    }

    /** What the first node answers without credentials. */
    Api.Answer askAnonymously(String path) throws Exception {
        return reader.get(path);
    }

    /** What the first node answers with the test's certificate; without TLS there is none. */
    Api.Answer askWithCertificate(String path) throws Exception {
        return asked.api().get(path);
    }

    /** All logs. */
    String logs() throws Exception {
        return asked.log() + other.log();
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }
}
