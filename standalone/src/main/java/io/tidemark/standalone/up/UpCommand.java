package io.tidemark.standalone.up;

import io.tidemark.address.HostPort;
import io.tidemark.client.UsageException;
import io.tidemark.connector.ConnectorConfig;
import io.tidemark.local.PortInUseException;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.query.QueryConfig;
import io.tidemark.standalone.options.ConnectorOptions;
import io.tidemark.standalone.options.DataOption;
import io.tidemark.standalone.options.HostPortConverter;
import io.tidemark.standalone.options.KafkaTarget;
import io.tidemark.standalone.options.MirrorOptions;
import io.tidemark.standalone.options.OtlpOptions;
import io.tidemark.standalone.options.ServeOptions;
import io.tidemark.standalone.options.SourceTarget;
import io.tidemark.standalone.options.StoreOptions;
import io.tidemark.standalone.options.security.InsecureOption;
import io.tidemark.standalone.options.security.PeerSecretOptions;
import io.tidemark.standalone.options.security.StartupRule;
import io.tidemark.standalone.part.KafkaConnections;
import io.tidemark.standalone.part.OwnBroker;
import io.tidemark.standalone.process.ProcessLifecycle;
import io.tidemark.standalone.screen.Failures;
import io.tidemark.standalone.screen.Screen;
import io.tidemark.streams.StreamsSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.kafka.common.acl.AclBinding;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark up}: etcd, broker, connector and node on this machine. */
@Command(
        name = "up",
        header = "Runs everything on this machine, in the foreground.",
        description = {
            "",
            "Without --etcd it also runs an etcd: 3.5.13 or later from the PATH, or the one that",
            "TIDEMARK_ETCD_BINARY names, or on Debian one that it fetches. Without --kafka it runs"
                    + " a",
            "broker in this process. Prints a line that begins with 'ready' and holds the URL.",
            "Ctrl-C stops all that it started. state/ in the data folder may be deleted: it is"
                    + " rebuilt.",
            "",
            "Examples:",
            "  tidemark up --demo",
            "  tidemark up --etcd http://127.0.0.1:2379 --data ~/mirror",
            "  tidemark up --etcd http://127.0.0.1:2379 --prefix /app/ --listen 127.0.0.1:9000",
            ""
        })
public final class UpCommand implements Callable<Integer> {
    /**
     * How long this process may stall and keep its partitions, as the only member of the group at
     * the broker that it runs. Elsewhere a node that stalls for seconds is replaced; here no other
     * can take over, and reads would fail until it has joined again.
     */
    private static final Duration SESSION = Duration.ofMinutes(1);

    @Mixin private SourceTarget etcd = new SourceTarget();
    @Mixin private KafkaTarget kafka = new KafkaTarget();
    @Mixin private ServeOptions serve = new ServeOptions();
    @Mixin private DataOption data = new DataOption();
    @Mixin private MirrorOptions mirror = new MirrorOptions();
    @Mixin private ConnectorOptions feed = new ConnectorOptions();
    @Mixin private StoreOptions store = new StoreOptions();
    @Mixin private PeerSecretOptions secret = new PeerSecretOptions();
    @Mixin private InsecureOption insecure = new InsecureOption();
    @Mixin private OtlpOptions otlp = new OtlpOptions();

    /** Shared by the connector and the node; random unless it is given. */
    private @Nullable PeerSecrets peerSecrets;

    @Option(
            names = "--demo",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description =
                    "Load an example cluster into the etcd that up runs, and keep changing it.")
    private boolean demo;

    @Option(
            names = "--demo-rate",
            paramLabel = "CHANGES",
            description = "Changes per second of the example cluster (default: ${DEFAULT-VALUE}).")
    private double demoRate = 2;

    @Option(
            names = "--etcd-port",
            paramLabel = "PORT",
            description =
                    "Loopback port of the etcd that up runs; 0 picks a free one (default:"
                            + " ${DEFAULT-VALUE}).")
    private int etcdPort;

    @Option(
            names = "--kafka-port",
            paramLabel = "PORT",
            description =
                    "Loopback port of the broker that up runs; 0 picks a free one (default:"
                            + " ${DEFAULT-VALUE}).")
    private int kafkaPort;

    @Option(
            names = "--connector-listen",
            paramLabel = "HOST:PORT",
            converter = HostPortConverter.class,
            description =
                    "Address of the connector's barriers, health and metrics; port 0 picks a free"
                            + " one (default: ${DEFAULT-VALUE}).")
    private HostPort connectorListen = new HostPort("127.0.0.1", 0);

    /** Validates all options before anything is started. */
    public void check() {
        etcd.requireNoneWithoutEtcd();
        kafka.requireNoneWithoutKafka();
        requirePort("--etcd-port", etcdPort, etcd.isGiven(), "--etcd");
        requirePort("--kafka-port", kafkaPort, kafka.isGiven(), "--kafka");
        if (demo && etcd.isGiven()) {
            throw new UsageException(
                    "--demo writes an example cluster into etcd: only into the one that up runs,"
                            + " without --etcd");
        }
        if (!(demoRate > 0 && demoRate <= 1000)) {
            throw new UsageException(
                    "--demo-rate must be above 0 and at most 1000, not " + demoRate);
        }
        if (connectorListen.isWildcard()) {
            throw new UsageException(
                    "--connector-listen needs one address, not " + connectorListen);
        }
        mirror.keepSecretKeysIn(data.directory().resolve("secrets.key"));
        String anyEtcd = "http://127.0.0.1:1";
        KafkaConnections anyKafka =
                kafka.isGiven()
                        ? givenKafka()
                        : new KafkaConnections("127.0.0.1:1", Map.of(), Map.of());
        connector(anyEtcd, anyKafka);
        streams(anyKafka);
        rights();
        query();
        StartupRule rule = insecure.rule();
        serve.require(rule, mirror);
        mirror.requireSecretKeys(rule);
        rule.require(
                "--connector-listen",
                connectorListen,
                InsecureOption.CONTROL,
                new StartupRule.Protection.None());
    }

    public boolean isInsecure() {
        return insecure.isGiven();
    }

    private static void requirePort(String option, int port, boolean foreign, String instead) {
        if (port < 0 || port > 65535) {
            throw new UsageException(option + ": port " + port + " is not within 0 and 65535");
        }
        if (port != 0 && foreign) {
            throw new UsageException(option + " cannot be combined with " + instead);
        }
    }

    /**
     * @param ownEtcd URL of the etcd that this runs; ignored with {@code --etcd}
     */
    public ConnectorConfig connector(String ownEtcd, KafkaConnections connections) {
        return feed.connector(
                        etcd.isGiven() ? etcd.source() : etcd.ownAt(ownEtcd),
                        connections.bootstrapServers(),
                        connections.ofConnector(),
                        mirror,
                        connectorListen,
                        "",
                        kafka.isGiven())
                .withAllowedHosts(serve.allowedHosts())
                .withPeerSecrets(peerSecrets())
                .withOtlp(otlp.settings());
    }

    PeerSecrets peerSecrets() {
        PeerSecrets made = peerSecrets == null ? secret.orRandom() : peerSecrets;
        peerSecrets = made;
        return made;
    }

    public StreamsSettings streams(KafkaConnections connections) {
        Map<String, Object> settings = new TreeMap<>(connections.ofNode());
        if (!kafka.isGiven()) {
            // Static membership: after a kill, the only member rejoins without a session timeout.
            settings.putIfAbsent("group.instance.id", "up");
            settings.put("main.consumer.session.timeout.ms", (int) SESSION.toMillis());
        }
        Path state = data.directory().resolve("state");
        return store.streams(connections.bootstrapServers(), settings, mirror, state, 0, "");
    }

    /** The Kafka of {@code --kafka}, where both log in as the same user. */
    public KafkaConnections givenKafka() {
        Map<String, Object> settings = kafka.clientSettings();
        return new KafkaConnections(kafka.bootstrapServers(), settings, settings);
    }

    /** The rights at the broker that this runs. */
    Set<AclBinding> rights() {
        return UsageException.unlessValid(
                () -> OwnBroker.rights(List.of(mirror.topic()), List.of(store.group())));
    }

    public QueryConfig query() {
        return serve.query(mirror, store, data.directory()).withOtlp(otlp.settings());
    }

    /** The file by which clients trust the certificate that this makes, if it makes one. */
    Optional<Path> madeAuthority() {
        return serve.madeAuthority(data.directory());
    }

    SourceTarget etcd() {
        return etcd;
    }

    public KafkaTarget kafka() {
        return kafka;
    }

    Path dataFolder() {
        return data.directory();
    }

    public HostPort listen() {
        return serve.listen();
    }

    MirrorOptions mirror() {
        return mirror;
    }

    public int etcdPort() {
        return etcdPort;
    }

    public int kafkaPort() {
        return kafkaPort;
    }

    /** Changes per second of the example cluster; 0 without {@code --demo}. */
    public double demoRate() {
        return demo ? demoRate : 0;
    }

    @Override
    public Integer call() throws IOException {
        check();
        store.memory().report();
        try (ProcessLifecycle running = ProcessLifecycle.begin()) {
            new LocalCluster(this, running, new Screen(System.out)).start();
            return running.awaitFailure();
        } catch (PortInUseException e) {
            throw Failures.portTaken(optionOf(e), e);
        }
    }

    private String optionOf(PortInUseException taken) {
        if (taken.port() == etcdPort) {
            return "--etcd-port";
        }
        if (taken.port() == kafkaPort) {
            return "--kafka-port";
        }
        return taken.port() == serve.listen().port() ? "--listen" : "--connector-listen";
    }
}
