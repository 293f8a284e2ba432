package io.tidemark.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.credentials.CertificateAuthority;
import io.tidemark.credentials.CertificateAuthority.Use;
import io.tidemark.credentials.PemWriter;
import io.tidemark.credentials.TlsContexts;
import io.tidemark.credentials.TlsIdentity;
import io.tidemark.harness.OwnKafka;
import io.tidemark.harness.Security;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkJvm;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.local.Ports;
import io.tidemark.local.kafka.KafkaUser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * The Pods of the chart as processes: the command, arguments and environment of the rendered
 * manifests, in a {@link PodContainer} where that is possible. Each mount is a folder, and each Pod
 * has a loopback address. A file resolves the names of Services.
 */
final class ChartPods implements AutoCloseable {
    private static final int NODES = 3;
    private static final int CONNECTORS = 2;
    private static final String MEMORY = "768Mi";

    private static final String POLICY =
            """
            kind: ClusterRole
            apiVersion: rbac.authorization.k8s.io/v1
            metadata: {name: maps}
            rules:
            - {verbs: [get, list, watch], apiGroups: [""], resources: [configmaps]}
            - {verbs: [get], nonResourceURLs: [/metrics]}
            ---
            kind: ClusterRoleBinding
            apiVersion: rbac.authorization.k8s.io/v1
            metadata: {name: tester}
            subjects: [{kind: User, name: tester, apiGroup: rbac.authorization.k8s.io}]
            roleRef: {kind: ClusterRole, name: maps, apiGroup: rbac.authorization.k8s.io}
            """;

    private final Path folder;
    private final TestEtcd etcd;
    private final TidemarkProcess broker;
    private final String network = network();
    private final List<JsonNode> manifests;
    private final List<ChartPod> nodes = new ArrayList<>();
    private final List<ChartPod> connectors = new ArrayList<>();
    private final HttpClient client;
    private final Optional<PodContainer> container;

    /** Starts etcd with TLS and a broker with logins, but no Pod. */
    ChartPods(Path folder) throws Exception {
        this.folder = folder;
        Security security = Security.everywhere();
        etcd = new TestEtcd(folder.resolve("etcd"), security);
        int port = Ports.pickFree("127.0.0.1");
        Path data = folder.resolve("broker");
        broker =
                TidemarkProcess.start(
                        port,
                        folder.resolve("broker.log"),
                        List.of("-Xmx320m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                        List.of("broker", "--listen", "127.0.0.1:" + port, "--data", "" + data),
                        Security.PLAIN);
        manifests =
                Chart.render(
                        Map.of(
                                "etcd.endpoints[0]", etcd.endpoint(),
                                "kafka.bootstrapServers", "127.0.0.1:" + port,
                                "kafka.connectorConfigSecret", "kafka-connector",
                                "kafka.nodeConfigSecret", "kafka-node",
                                "access.authorization", "policy",
                                "access.policyConfigMap", "policy",
                                "mirror.partitions", "4",
                                "node.memory", MEMORY,
                                "connector.memory", MEMORY));
        container =
                PodContainer.isPossible()
                        ? Optional.of(
                                new PodContainer(
                                        folder.resolve("containers"), folder.resolve("hosts")))
                        : Optional.empty();
        for (int i = 0; i < NODES; i++) {
            nodes.add(pod("StatefulSet", "node", "tm-node-" + i, i + 1));
        }
        for (int i = 0; i < CONNECTORS; i++) {
            connectors.add(pod("Deployment", "connector", "tm-connector-" + i, NODES + i + 1));
        }
        client = files(security, data);
        if (container.isPresent()) {
            PodContainer.asMounted(folder.resolve("mounts"));
        }
        Files.writeString(folder.resolve("hosts"), hosts());
    }

    /** Addresses that no other run has. */
    private static String network() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return "127.%d.%d.".formatted(random.nextInt(1, 255), random.nextInt(1, 255));
    }

    private ChartPod pod(String kind, String component, String name, int number)
            throws IOException {
        JsonNode manifest =
                manifests.stream()
                        .filter(each -> each.path("kind").asText().equals(kind))
                        .findFirst()
                        .orElseThrow()
                        .at("/spec/template/spec/containers/0");
        String address = network + number;
        Path data = Files.createDirectories(folder.resolve("data").resolve(name));
        Path mounts = folder.resolve("mounts").resolve(component);
        Map<String, String> environment = new TreeMap<>();
        for (JsonNode variable : manifest.path("env")) {
            String value =
                    variable.path("value")
                            .asText()
                            .replace("$(POD_NAME)", name)
                            .replace("0.0.0.0:", address + ":");
            if (container.isEmpty()) {
                value =
                        value.replace("/etc/tidemark", mounts.toString())
                                .replace("/var/lib/tidemark", data.toString());
            }
            environment.put(variable.path("name").asText(), value);
        }
        environment.put("POD_NAME", name);
        environment.put("POD_IP", address);
        List<String> command = new ArrayList<>();
        manifest.path("command").forEach(each -> command.add(each.asText()));
        if (command.isEmpty()) {
            command.add("tidemark");
        }
        manifest.path("args").forEach(each -> command.add(each.asText()));
        String home = container.isPresent() ? "/opt/tidemark" : standIn().getParent().toString();
        if (command.getFirst().equals("tidemark")) {
            // The PATH of the child is not searched for its own program.
            command.set(0, home + "/tidemark");
        }
        environment.put("PATH", home + ":/usr/bin:/bin");
        environment.put("JAVA_HOME", "/opt/java");
        environment.put("TIDEMARK_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
        return new ChartPod(
                name,
                address,
                manifest.at("/readinessProbe/httpGet/port").asInt(),
                container.isPresent()
                        ? container.get().command(name, data, mounts, command)
                        : command,
                environment,
                folder.resolve(name + ".log"));
    }

    /** What stands in for the launcher outside of a container. */
    private Path standIn() throws IOException {
        Path file = Files.createDirectories(folder.resolve("bin")).resolve("tidemark");
        List<String> jvm =
                List.of(
                        "-Xmx320m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djdk.net.hosts.file=" + folder.resolve("hosts"));
        String line =
                TidemarkJvm.tidemark(jvm, List.of()).stream()
                        .map(each -> "'" + each + "'")
                        .collect(Collectors.joining(" "));
        Files.writeString(file, "#!/bin/sh\nexec " + line + " \"$@\"\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file;
    }

    /** What the Services' names mean. */
    private String hosts() throws IOException {
        StringBuilder hosts = new StringBuilder("127.0.0.1 localhost\n");
        hosts.append("127.0.0.1 ").append(InetAddress.getLocalHost().getHostName()).append('\n');
        for (ChartPod each : nodes) {
            hosts.append("%s %s.tm-node.cache.svc\n".formatted(each.address(), each.name()));
        }
        for (ChartPod each : connectors) {
            String name = each.address().replace('.', '-');
            hosts.append("%s %s.tm-connector.cache.svc\n".formatted(each.address(), name));
        }
        return hosts.toString();
    }

    /** The files of all Secrets and ConfigMaps; returns a client that may read. */
    private HttpClient files(Security security, Path broker) throws Exception {
        CertificateAuthority members = CertificateAuthority.create("peers", InstantSource.system());
        CertificateAuthority servers = CertificateAuthority.create("nodes", InstantSource.system());
        CertificateAuthority clients = CertificateAuthority.create("users", InstantSource.system());
        TlsIdentity peer =
                members.issue(
                        "CN=peer",
                        List.of("*.tm-node.cache.svc", "*.tm-connector.cache.svc"),
                        Use.BOTH);
        List<String> names = new ArrayList<>(List.of("tm.cache.svc"));
        nodes.forEach(each -> names.add(each.address()));
        TlsIdentity node = servers.issue("CN=node", names, Use.SERVER);
        for (String component : new String[] {"node", "connector"}) {
            Path at = folder.resolve("mounts").resolve(component);
            identity(at.resolve("peers"), peer, members.identity());
            secret(at.resolve("peer-secret").resolve("secret"), "0123456789abcdef".repeat(4));
            KafkaUser user = component.equals("node") ? KafkaUser.NODE : KafkaUser.CONNECTOR;
            secret(
                    at.resolve("kafka").resolve("client.properties"),
                    Files.readString(OwnKafka.config(broker, user)));
        }
        Path ofNode = folder.resolve("mounts").resolve("node");
        identity(ofNode.resolve("tls"), node, servers.identity());
        secret(ofNode.resolve("policy").resolve("policy.yaml"), POLICY);
        Files.createDirectories(ofNode.resolve("client-ca"));
        PemWriter.write(ofNode.resolve("client-ca").resolve("ca.crt"), clients.identity().chain());
        Path etcdFiles = folder.resolve("mounts").resolve("connector").resolve("etcd");
        Map<String, String> etcdClient = security.environment(List.of("connector", "--etcd"));
        copy(etcdClient.get("TIDEMARK_ETCD_CA"), etcdFiles.resolve("ca.crt"));
        copy(etcdClient.get("TIDEMARK_ETCD_CERT"), etcdFiles.resolve("tls.crt"));
        copy(etcdClient.get("TIDEMARK_ETCD_KEY"), etcdFiles.resolve("tls.key"));
        TlsIdentity tester = clients.issue("CN=tester", List.of(), Use.CLIENT);
        identity(folder.resolve("tester"), tester, servers.identity());
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(
                        TlsContexts.of(
                                Optional.of(tester),
                                TlsIdentity.readAuthorities(ofNode.resolve("tls/ca.crt"))))
                .build();
    }

    private static void identity(Path at, TlsIdentity identity, TlsIdentity authority)
            throws IOException {
        Files.createDirectories(at);
        PemWriter.write(at.resolve("ca.crt"), authority.chain());
        PemWriter.write(at.resolve("tls.crt"), identity.chain());
        PemWriter.writeKey(at.resolve("tls.key"), identity);
    }

    private static void secret(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static void copy(String from, Path to) throws IOException {
        secret(to, Files.readString(Path.of(from)));
    }

    TestEtcd etcd() {
        return etcd;
    }

    List<ChartPod> nodes() {
        return nodes;
    }

    List<ChartPod> connectors() {
        return connectors;
    }

    /**
     * What a Prometheus scrapes: nodes with a certificate that may read metrics, connectors
     * without.
     */
    String scrapes() {
        Path tester = folder.resolve("tester");
        String login = ", cert_file: %1$s/tls.crt, key_file: %1$s/tls.key".formatted(tester);
        StringBuilder targets = new StringBuilder();
        nodes.forEach(each -> targets.append(scrape(each, login)));
        connectors.forEach(each -> targets.append(scrape(each, "")));
        return targets.toString();
    }

    /** As the chart's ServiceMonitor, but by addresses, which the certificates do not all have. */
    private static String scrape(ChartPod pod, String login) {
        return """
        - job_name: %1$s
          scheme: https
          tls_config: {insecure_skip_verify: true%2$s}
          static_configs: [{targets: ["%3$s"], labels: {instance: %1$s}}]
        """
                .formatted(pod.name(), login, URI.create(pod.url()).getAuthority());
    }

    /** A client with a certificate that may read ConfigMaps. */
    HttpClient client() {
        return client;
    }

    @Override
    public void close() throws Exception {
        for (ChartPod each : nodes) {
            each.kill();
        }
        for (ChartPod each : connectors) {
            each.kill();
        }
        client.close();
        broker.close();
        etcd.close();
    }
}
