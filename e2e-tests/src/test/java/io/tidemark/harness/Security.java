package io.tidemark.harness;

import io.tidemark.connector.upstream.UpstreamOptions;
import io.tidemark.credentials.CertificateAuthority;
import io.tidemark.credentials.CertificateAuthority.Use;
import io.tidemark.credentials.PemWriter;
import io.tidemark.credentials.TlsContexts;
import io.tidemark.credentials.TlsIdentity;
import io.tidemark.etcd.connection.EtcdOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the processes of a test speak to each other and to the test. {@code
 * -Dtidemark.tls=everywhere} gives all of them TLS: etcd, the broker, the members of the group and
 * their clients, each with certificates on both sides (Kafka's clients with a login), and nodes
 * with a policy by which only the test's certificate may read. Otherwise only Kafka has logins.
 */
public sealed interface Security {
    /** Without TLS. */
    Security PLAIN = new Plain();

    /** As the property of this run says. */
    static Security ofRun() {
        return "everywhere".equals(System.getProperty("tidemark.tls")) ? everywhere() : PLAIN;
    }

    /** TLS everywhere, with the certificates of this JVM. */
    static Security everywhere() {
        return Everywhere.Shared.MADE;
    }

    /** {@code http} or {@code https}. */
    String scheme();

    /** Variables for a process with these arguments, the first of which is the command. */
    Map<String, String> environment(List<String> arguments);

    /** The same for a node that joins the group of an {@code up}, whose members have no TLS. */
    Security besideUp();

    /** A client of nodes, with the test's certificate if nodes accept one. */
    HttpClient client();

    /** A client of nodes without a certificate. */
    HttpClient clientWithoutCertificate();

    /** Flags of an etcd that listens at two ports, {@code plain} for probes of its health only. */
    List<String> etcdFlags(int plain, int port);

    /** A client of that etcd. */
    EtcdOptions etcd(String endpoint);

    /** A connector's way to the nodes of a Tidemark. */
    UpstreamOptions upstream(URI endpoint);

    /** Flags of a connector that follows the nodes of a Tidemark. */
    List<String> upstreamFlags();

    /** Without TLS. */
    record Plain() implements Security {
        @Override
        public String scheme() {
            return "http";
        }

        @Override
        public Map<String, String> environment(List<String> arguments) {
            return Map.of();
        }

        @Override
        public Security besideUp() {
            return this;
        }

        @Override
        public HttpClient client() {
            return builder().build();
        }

        @Override
        public HttpClient clientWithoutCertificate() {
            return client();
        }

        @Override
        public List<String> etcdFlags(int plain, int port) {
            return List.of("--listen-client-urls=http://127.0.0.1:" + port);
        }

        @Override
        public EtcdOptions etcd(String endpoint) {
            return EtcdOptions.of(endpoint);
        }

        @Override
        public UpstreamOptions upstream(URI endpoint) {
            return UpstreamOptions.of(List.of(endpoint));
        }

        @Override
        public List<String> upstreamFlags() {
            return List.of();
        }
    }

    private static HttpClient.Builder builder() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5));
    }

    /**
     * TLS everywhere.
     *
     * @param folder of the files
     * @param tester the certificate of the test's own clients
     * @param peers whether members of the group have TLS between them
     */
    record Everywhere(Path folder, TlsIdentity tester, boolean peers) implements Security {
        private static final String POLICY =
                """
                kind: ClusterRole
                apiVersion: rbac.authorization.k8s.io/v1
                metadata: {name: all}
                rules:
                - {verbs: ["*"], apiGroups: ["*"], resources: ["*"]}
                - {verbs: ["*"], nonResourceURLs: ["*"]}
                ---
                kind: ClusterRoleBinding
                apiVersion: rbac.authorization.k8s.io/v1
                metadata: {name: tester}
                subjects: [{kind: User, name: tester, apiGroup: rbac.authorization.k8s.io}]
                roleRef: {kind: ClusterRole, name: all, apiGroup: rbac.authorization.k8s.io}
                """;

        /** Made when first used. */
        private static final class Shared {
            static final Everywhere MADE = make();
        }

        private static Everywhere make() {
            try {
                Path folder = Files.createTempDirectory("tidemark-tls");
                List<String> hosts = List.of("127.0.0.1", "localhost");
                CertificateAuthority members = authority("members");
                CertificateAuthority clients = authority("clients");
                TlsIdentity member = members.issue("CN=member", hosts, Use.BOTH);
                TlsIdentity tester = clients.issue("CN=tester", List.of(), Use.CLIENT);
                PemWriter.write(folder.resolve("ca.crt"), members.identity().chain());
                PemWriter.write(folder.resolve("client-ca.crt"), clients.identity().chain());
                PemWriter.write(folder.resolve("member.crt"), member.chain());
                PemWriter.writeKey(folder.resolve("member.key"), member);
                PemWriter.write(folder.resolve("tester.crt"), tester.chain());
                PemWriter.writeKey(folder.resolve("tester.key"), tester);
                Files.writeString(folder.resolve("policy.yaml"), POLICY);
                return new Everywhere(folder, tester, true);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static CertificateAuthority authority(String name) {
            return CertificateAuthority.create(name, InstantSource.system());
        }

        private Path file(String name) {
            return folder.resolve(name);
        }

        @Override
        public String scheme() {
            return "https";
        }

        @Override
        public Map<String, String> environment(List<String> arguments) {
            Map<String, String> variables = new HashMap<>();
            String certificate = file("member.crt").toString();
            String key = file("member.key").toString();
            String authorities = file("ca.crt").toString();
            variables.put("TIDEMARK_TLS_CERT", certificate);
            variables.put("TIDEMARK_TLS_KEY", key);
            variables.put("TIDEMARK_TLS_CA", authorities);
            variables.put("TIDEMARK_CLIENT_CA", file("client-ca.crt").toString());
            variables.put("TIDEMARK_AUTHORIZATION", "policy");
            variables.put("TIDEMARK_POLICY", file("policy.yaml").toString());
            if (peers) {
                variables.put("TIDEMARK_PEER_TLS_CERT", certificate);
                variables.put("TIDEMARK_PEER_TLS_KEY", key);
                variables.put("TIDEMARK_PEER_CA", authorities);
            }
            variables.put("TIDEMARK_CERTIFICATE_AUTHORITY", authorities);
            variables.put("TIDEMARK_CLIENT_CERTIFICATE", file("tester.crt").toString());
            variables.put("TIDEMARK_CLIENT_KEY", file("tester.key").toString());
            if (arguments.contains("--etcd")) {
                variables.put("TIDEMARK_ETCD_CA", authorities);
                variables.put("TIDEMARK_ETCD_CERT", certificate);
                variables.put("TIDEMARK_ETCD_KEY", key);
            }
            return variables;
        }

        @Override
        public Security besideUp() {
            return new Everywhere(folder, tester, false);
        }

        @Override
        public HttpClient client() {
            return client(Optional.of(tester));
        }

        @Override
        public HttpClient clientWithoutCertificate() {
            return client(Optional.empty());
        }

        private HttpClient client(Optional<TlsIdentity> identity) {
            try {
                return builder()
                        .sslContext(
                                TlsContexts.of(
                                        identity, TlsIdentity.readAuthorities(file("ca.crt"))))
                        .build();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public List<String> etcdFlags(int plain, int port) {
            String url = "https://127.0.0.1:" + port;
            return List.of(
                    "--listen-client-urls=http://127.0.0.1:%d,%s".formatted(plain, url),
                    "--advertise-client-urls=" + url,
                    "--cert-file=" + file("member.crt"),
                    "--key-file=" + file("member.key"),
                    "--trusted-ca-file=" + file("ca.crt"),
                    "--client-cert-auth");
        }

        @Override
        public EtcdOptions etcd(String endpoint) {
            return EtcdOptions.of(endpoint)
                    .withTls(file("ca.crt"), file("member.crt"), file("member.key"));
        }

        @Override
        public UpstreamOptions upstream(URI endpoint) {
            return new UpstreamOptions(
                    List.of(endpoint),
                    Optional.of(file("ca.crt")),
                    Optional.of(
                            new UpstreamOptions.Identity(file("tester.crt"), file("tester.key"))),
                    Optional.empty());
        }

        @Override
        public List<String> upstreamFlags() {
            return List.of(
                    "--etcd-cert",
                    file("tester.crt").toString(),
                    "--etcd-key",
                    file("tester.key").toString());
        }
    }
}
