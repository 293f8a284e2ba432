package io.tidemark.standalone;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.ConnectorConfig;
import io.tidemark.connector.SourceOptions;
import io.tidemark.credentials.testing.TestCertificates;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.record.secret.KeyRing;
import io.tidemark.standalone.options.SettingSources;
import io.tidemark.standalone.part.KafkaConnections;
import io.tidemark.standalone.up.UpCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Every option of every command has an effect; fails for an option without a case. */
class OptionsTakeEffectTest {
    /** Options of every command, which are read before the others. */
    private static final Set<String> GENERAL = Set.of("help", "version", "config");

    /** Options that their descriptions call without effect: they are accepted, no more. */
    private static final Set<String> RETIRED = Set.of("index-label");

    private static final String SECRET = "--peer-secret 0123456789abcdef";

    @TempDir Path directory;

    @Test
    void ofUp() throws Exception {
        Map<String, String> cases = mirror();
        cases.putAll(feed());
        cases.putAll(store());
        cases.putAll(serve());
        cases.putAll(source());
        cases.putAll(kafka());
        cases.put("demo", "--demo");
        cases.put("demo-rate", "--demo --demo-rate 7 | --demo");
        cases.put("etcd-port", "--etcd-port 7");
        cases.put("kafka-port", "--kafka-port 7");
        cases.put("connector-listen", "--connector-listen 127.0.0.1:7");
        cases.put("insecure", "--insecure");
        cases.putAll(peerSecret());
        cases.putAll(otlp());
        check(
                "up",
                SECRET,
                cases,
                command -> {
                    UpCommand up = (UpCommand) command;
                    up.check();
                    return List.of(
                            connector(up),
                            password(up.connector("http://o:1", kafka(up))),
                            up.streams(kafka(up)),
                            up.query(),
                            up.isInsecure(),
                            up.demoRate(),
                            up.etcdPort(),
                            up.kafkaPort());
                });
    }

    private static Object connector(UpCommand up) {
        return up.connector("http://own:1", kafka(up));
    }

    private static KafkaConnections kafka(UpCommand up) {
        return up.kafka().isGiven()
                ? up.givenKafka()
                : new KafkaConnections("own:1", Map.of(), Map.of());
    }

    @Test
    void ofConnector() throws Exception {
        Map<String, String> cases = mirror();
        cases.putAll(feed());
        cases.putAll(source());
        cases.putAll(kafka());
        cases.put("listen", "--listen 127.0.0.1:7");
        cases.put("advertise", "--advertise me:7");
        cases.put("allowed-host", "--allowed-host one.example,two.example");
        cases.put("insecure", "--insecure");
        cases.put("memory", "--memory 2g");
        cases.putAll(peerSecret());
        cases.putAll(otlp());
        cases.putAll(links());
        check(
                "connector",
                "--etcd http://b:1 --kafka b:1 " + SECRET,
                cases,
                command -> {
                    ConnectorCommand connector = (ConnectorCommand) command;
                    return List.of(
                            connector.config(),
                            connector.isInsecure(),
                            connector.memory().plan(),
                            password(connector.config()));
                });
    }

    @Test
    void ofNode() throws Exception {
        Map<String, String> cases = mirror();
        cases.putAll(store());
        cases.putAll(serve());
        cases.putAll(kafka());
        cases.put("standbys", "--standbys 2");
        cases.put("insecure", "--insecure");
        String peer = "--peer-listen 127.0.0.1:";
        cases.put("peer-listen", peer + "7 | " + peer + "8");
        cases.put("peer-version", peer + "7 --peer-version 5 | " + peer + "7");
        cases.put("peer-advertise", peer + "7 --peer-advertise me:7 | " + peer + "7");
        cases.putAll(peerSecret());
        cases.putAll(otlp());
        cases.putAll(links());
        check(
                "node",
                "--kafka b:1 " + SECRET,
                cases,
                command -> {
                    NodeCommand node = (NodeCommand) command;
                    PeerSecrets secrets = node.secrets();
                    return List.of(
                            node.streams(),
                            node.query(),
                            secrets.current(),
                            node.peers(PeerSecrets.of(secrets.current().getFirst()), node.tls()),
                            node.tls().map(Object::toString),
                            node.selfCheck(),
                            node.isInsecure());
                });
    }

    @Test
    void ofBroker() throws Exception {
        Map<String, String> cases = new LinkedHashMap<>();
        cases.put("listen", "--listen 127.0.0.1:7");
        cases.put("advertise", "--advertise me:7");
        cases.put("data", "--data elsewhere");
        cases.put("insecure", "--insecure");
        cases.put("memory", "--memory 2g");
        cases.put("topic", "--topic one,two");
        cases.put("group", "--group one,two");
        cases.putAll(brokerTls());
        check(
                "broker",
                "",
                cases,
                command -> {
                    BrokerCommand broker = (BrokerCommand) command;
                    return List.of(
                            broker.settings(),
                            broker.tls(),
                            broker.rights(),
                            broker.isInsecure(),
                            broker.memory().plan());
                });
    }

    private Map<String, String> brokerTls() throws Exception {
        TestCertificates made = new TestCertificates(directory);
        TestCertificates other =
                new TestCertificates(Files.createDirectory(directory.resolve("other")));
        String form = "--tls-cert %s --tls-key %s --tls-ca %s";
        String all = form.formatted(made.certificateFile(), made.keyFile(), made.authorityFile());
        String others =
                form.formatted(other.certificateFile(), other.keyFile(), made.authorityFile());
        Path sameAuthority = Files.copy(made.authorityFile(), directory.resolve("same-ca.crt"));
        return Map.of(
                "tls-cert",
                all + " | ",
                "tls-key",
                all + " | " + others,
                "tls-ca",
                all
                        + " | "
                        + form.formatted(made.certificateFile(), made.keyFile(), sameAuthority));
    }

    @Test
    void ofBench() throws Exception {
        String target = "--target a=http://a:1 ";
        String etcd = "--etcd http://e:1 ";
        Map<String, String> cases = new LinkedHashMap<>(etcd());
        cases.put("target", target + "|--target a=http://b:1");
        cases.put(
                "target-http2", "--target a=https://a:1 --target-http2 a | --target a=https://a:1");
        String start = "--start a=run ";
        String data = start + "--start-data a=folder ";
        cases.put("start", start);
        cases.put("start-data", data + "|" + start);
        cases.put("start-state", data + "--start-state a=folder/state |" + data);
        cases.put("process", "--process a=" + ProcessHandle.current().pid());
        cases.put("target-token-file", "--target-token-file a=" + file("token", "t\n"));
        cases.put("target-ca", "--target-ca " + file("ca.pem", certificate()));
        cases.put("prefix", "--prefix /other/");
        cases.put("fill", etcd + "--fill | " + etcd);
        cases.put("pods", "--pods 7");
        cases.put("namespaces", "--namespaces 7");
        cases.put("nodes", "--nodes 7");
        cases.put("workloads", "--workloads list,get");
        cases.put("rounds", "--rounds 7");
        cases.put("seconds", "--seconds 7");
        cases.put("watchers", "--watchers 7");
        cases.put("filtered-watchers", "--filtered-watchers 7");
        cases.put("events", "--events 7");
        cases.put("out", "--out elsewhere");
        cases.put("compare", "--compare a");
        cases.put("with", "--with b");
        check(
                "bench",
                target.strip(),
                cases,
                command -> {
                    BenchCommand bench = (BenchCommand) command;
                    BenchCommand.Plan plan = bench.plan();
                    return List.of(
                            plan,
                            String.valueOf(plan.etcd() == null ? "" : plan.etcd().password()),
                            bench.out(),
                            bench.compared());
                });
    }

    /** Any certificate, in PEM. */
    private static String certificate() throws Exception {
        TrustManagerFactory trusted =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init((KeyStore) null);
        X509TrustManager manager = (X509TrustManager) trusted.getTrustManagers()[0];
        byte[] encoded = manager.getAcceptedIssuers()[0].getEncoded();
        return "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder().encodeToString(encoded)
                + "\n-----END CERTIFICATE-----\n";
    }

    private static Map<String, String> otlp() {
        String url = "--otlp http://127.0.0.1:4318/v1/metrics";
        return Map.of("otlp", url, "otlp-interval", url + " --otlp-interval 5s | " + url);
    }

    private Map<String, String> peerSecret() throws Exception {
        String other = "--peer-secret fedcba9876543210";
        String file = "--peer-secret-file " + file("secret", "0123456789abcdef\n");
        return Map.of(
                "peer-secret", other + " | " + SECRET, "peer-secret-file", file + "|" + other);
    }

    private static Map<String, String> mirror() {
        return new LinkedHashMap<>(
                Map.of(
                        "prefix", "--prefix /other/",
                        "topic", "--topic other",
                        "history", "--history 7m",
                        "kubernetes-root", "--kubernetes-root /kubernetes.io/,/registry/",
                        "include-secrets", "--include-secrets --insecure | --insecure",
                        "secrets-key-file", secretKeys(),
                        "self-check", "--self-check 7m"));
    }

    private static String secretKeys() {
        try {
            Path file = Files.createTempFile("keys", "");
            file.toFile().deleteOnExit();
            Files.writeString(file, KeyRing.randomText("k"));
            String with = "--include-secrets --insecure";
            return with + " --secrets-key-file " + file + " | " + with;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> feed() {
        return Map.of(
                "partitions", "--partitions 3",
                "replication-factor", "--replication-factor 3",
                "backfill", "--backfill 7",
                "on-gap", "--on-gap bridge",
                "redact", "--redact configmaps=.data.password");
    }

    private Map<String, String> serve() throws Exception {
        Map<String, String> cases = new LinkedHashMap<>(tls());
        cases.putAll(addressAndLimits());
        cases.putAll(access());
        return cases;
    }

    private Map<String, String> tls() throws Exception {
        TestCertificates made = new TestCertificates(directory);
        String certificate = " --tls-cert " + made.certificateFile();
        String key = " --tls-key " + made.keyFile();
        String sameKey = " --tls-key " + Files.copy(made.keyFile(), directory.resolve("same.key"));
        String pair = certificate + key;
        return Map.of(
                "tls-cert", pair + " | ",
                "tls-key", pair + " | " + certificate + sameKey,
                "tls", "--tls self-signed --data " + directory + " | --data " + directory,
                "client-ca", pair + " --client-ca " + made.authorityFile() + " | " + pair);
    }

    private Map<String, String> access() throws Exception {
        String tokens = "--token-file " + file("tokens", "a-token,jane,7\n") + " ";
        String origin = "--origin https://o:1 --origin-token-file " + file("own", "a\n") + " ";
        String policy = "--authorization policy --policy " + file("policy", "# no rights\n") + " ";
        String audit = "--audit-log " + directory.resolve("audit.log") + " ";
        String rules =
                file("rules", "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: None}]");
        String issuers =
                file(
                        "issuers",
                        """
                        jwt:
                        - issuer: {url: https://a.example, audiences: [tidemark]}
                          claimMappings: {username: {claim: sub, prefix: "a:"}}
                        """);
        Map<String, String> cases = new LinkedHashMap<>();
        cases.put("token-file", tokens);
        cases.put("oidc", "--oidc " + issuers);
        cases.put("origin", origin);
        cases.put(
                "origin-ca",
                origin
                        + "--origin-ca "
                        + new TestCertificates(Files.createDirectory(directory.resolve("origin")))
                                .authorityFile()
                        + " | "
                        + origin);
        cases.put("origin-token-file", origin);
        cases.put("anonymous-auth", "--anonymous-auth");
        cases.put("authorization", tokens + "--authorization rbac | " + tokens);
        cases.put("policy", tokens + policy + " | " + tokens);
        String rbac = tokens + "--authorization rbac ";
        cases.put("authz-max-age", rbac + "--authz-max-age 7m | " + rbac);
        cases.put("audit-log", audit);
        cases.put("audit-policy", audit + "--audit-policy " + rules + " | " + audit);
        return cases;
    }

    private Map<String, String> links() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("links"));
        TestCertificates made = new TestCertificates(folder);
        Path sameKey = Files.copy(made.keyFile(), folder.resolve("same.key"));
        Path sameAuthority = Files.copy(made.authorityFile(), folder.resolve("same-ca.crt"));
        String form = "--peer-tls-cert %s --peer-tls-key %s --peer-ca %s";
        String all = form.formatted(made.certificateFile(), made.keyFile(), made.authorityFile());
        return Map.of(
                "peer-tls-cert", all + " | ",
                "peer-tls-key",
                        all
                                + " | "
                                + form.formatted(
                                        made.certificateFile(), sameKey, made.authorityFile()),
                "peer-ca",
                        all
                                + " | "
                                + form.formatted(
                                        made.certificateFile(), made.keyFile(), sameAuthority));
    }

    private static Map<String, String> addressAndLimits() {
        return Map.ofEntries(
                entry("listen", "--listen 127.0.0.1:7"),
                entry("kubernetes-version", "--kubernetes-version v1.30.0"),
                entry("runtime-config", "--runtime-config api/beta=true,v1/nodes=false"),
                entry("drain", "--drain 7s"),
                entry("allowed-host", "--allowed-host one.example,two.example"),
                entry("max-connections", "--max-connections 777"),
                entry("max-connections-per-client", "--max-connections-per-client 77"),
                entry("max-watches", "--max-watches 777"),
                entry("max-watches-per-client", "--max-watches-per-client 77"),
                entry("compress-watches", "--compress-watches false"),
                entry("list-bytes", "--list-bytes 7777777"),
                entry("list-bytes-per-client", "--list-bytes-per-client 777777"));
    }

    private static Map<String, String> store() {
        return Map.of(
                "data", "--data elsewhere",
                "memory", "--memory 2g",
                "group", "--group other",
                "history-bytes", "--history-bytes 7",
                "keep-protobuf", "--keep-protobuf",
                "cache-bytes", "--cache-bytes 77777777",
                "write-buffer-bytes", "--write-buffer-bytes 7777777",
                "index", "--index pods=status.phase,widgets.example.com=spec.tier");
    }

    /** Shown apart, as configurations do not print it. */
    private static String password(ConnectorConfig config) {
        return config.source() instanceof SourceOptions.Etcd(EtcdOptions etcd)
                ? String.valueOf(etcd.password())
                : "";
    }

    private Map<String, String> source() throws Exception {
        Map<String, String> cases = new LinkedHashMap<>(etcd());
        String tidemark = "--etcd https://t:1/kv ";
        cases.put(
                "etcd-token-file",
                tidemark + "--etcd-token-file " + file("token", "secret\n") + " | " + tidemark);
        return cases;
    }

    private Map<String, String> etcd() throws Exception {
        String file = file("pem", "secret\n");
        String etcd = "--etcd https://e:1 ";
        String user = etcd + "--etcd-user me ";
        String pair = etcd + "--etcd-cert %s --etcd-key %s";
        return Map.of(
                "etcd", "--etcd http://e:1",
                "etcd-ca", etcd + "--etcd-ca " + file + " | " + etcd,
                "etcd-cert", pair.formatted(file, file) + " | " + etcd,
                "etcd-key",
                        pair.formatted(file, file("other", "")) + "|" + pair.formatted(file, file),
                "etcd-user",
                        user + "--etcd-password a | " + etcd + "--etcd-user you --etcd-password a",
                "etcd-password", user + "--etcd-password a | " + user + "--etcd-password b",
                "etcd-password-file",
                        user + "--etcd-password-file " + file + " | " + user + "--etcd-password a");
    }

    private Map<String, String> kafka() throws Exception {
        String file = file("kafka.properties", "security.protocol=SSL\n");
        return Map.of(
                "kafka",
                "--kafka k:1",
                "kafka-config",
                "--kafka k:1 --kafka-config " + file + " | --kafka k:1");
    }

    private String file(String name, String text) throws Exception {
        Path file = Files.writeString(directory.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file.toString();
    }

    /**
     * @param cases what to compare for each option: "arguments", with the base arguments alone, or
     *     "arguments | others"
     */
    private static void check(
            String name,
            String base,
            Map<String, String> cases,
            Function<Object, List<Object>> effect) {
        CommandLine command = TidemarkCli.commandLine().getSubcommands().get(name);
        Set<String> options = new TreeSet<>();
        command.getCommandSpec().options().forEach(o -> options.add(SettingSources.nameOf(o)));
        options.removeAll(GENERAL);
        options.removeAll(RETIRED);
        assertThat(cases.keySet()).containsExactlyInAnyOrderElementsOf(options);

        cases.forEach((option, compared) -> {
            String[] sides = (compared + (compared.contains("|") ? "" : "|")).split("\\|", -1);
            assertThat(effect.apply(parse(name, base, sides[0])))
                    .as("--" + option)
                    .isNotEqualTo(effect.apply(parse(name, base, sides[1])));
        });
    }

    /** Arguments override those of the base with the same name. */
    private static Object parse(String name, String base, String arguments) {
        List<String> all = words(arguments);
        List<String> basis = words(base);
        for (int i = 0; i < basis.size(); i += 2) {
            String option = basis.get(i);
            if (all.stream().noneMatch(given -> isSame(given, option))) {
                all.addAll(basis.subList(i, i + 2));
            }
        }
        CommandLine program = TidemarkCli.commandLine();
        all.addFirst(name);
        program.parseArgs(all.toArray(String[]::new));
        return program.getSubcommands().get(name).getCommand();
    }

    /** Whether both set the same secret. */
    private static boolean isSame(String option, String other) {
        return option.replace("secret-file", "secret").equals(other);
    }

    private static List<String> words(String text) {
        return new ArrayList<>(
                Arrays.stream(text.strip().split(" +")).filter(word -> !word.isEmpty()).toList());
    }
}
