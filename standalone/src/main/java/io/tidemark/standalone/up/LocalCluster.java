package io.tidemark.standalone.up;

import io.tidemark.connector.Connector;
import io.tidemark.connector.ConnectorConfig;
import io.tidemark.connector.ConnectorStatus;
import io.tidemark.demo.DemoCluster;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.local.Ports;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.etcd.EtcdLocator;
import io.tidemark.local.etcd.EtcdProcess;
import io.tidemark.local.etcd.EtcdSettings;
import io.tidemark.local.etcd.EtcdStart;
import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaAccess;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.local.kafka.KafkaTls;
import io.tidemark.local.kafka.KafkaUser;
import io.tidemark.standalone.part.ConnectorPart;
import io.tidemark.standalone.part.KafkaConnections;
import io.tidemark.standalone.part.NodePart;
import io.tidemark.standalone.part.OwnBroker;
import io.tidemark.standalone.process.DataFolder;
import io.tidemark.standalone.process.ProcessLifecycle;
import io.tidemark.standalone.process.ShutdownStages;
import io.tidemark.standalone.screen.Progress;
import io.tidemark.standalone.screen.Screen;
import io.tidemark.standalone.screen.Suggestions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Starts etcd, broker, connector and node on this machine in this order, showing progress. */
public final class LocalCluster {
    /**
     * No API server compacts this etcd, and without compaction it grows to its quota and then
     * refuses writes.
     */
    private static final List<String> ETCD_FLAGS =
            List.of(
                    "--auto-compaction-mode=periodic",
                    "--auto-compaction-retention=1h",
                    "--quota-backend-bytes=" + (8L << 30));

    private static final long DEMO_SEED = 20_26;

    private final UpCommand options;
    private final ProcessLifecycle running;
    private final Screen screen;
    private final Path data;
    private final long startNanos = System.nanoTime();

    LocalCluster(UpCommand options, ProcessLifecycle running, Screen screen) {
        this.options = options;
        this.running = running;
        this.screen = screen;
        this.data = options.dataFolder();
    }

    /**
     * Returns when all parts serve, or when one has failed.
     *
     * @throws IOException if a part cannot start
     */
    void start() throws IOException {
        DataFolder.take(data, running);
        options.mirror().openSecretKeys();
        if (options.listen().port() != 0) {
            Ports.requireFree(options.listen().host(), options.listen().port());
        }
        EmbeddedKafka.onFatalError(reason -> running.failed(DataFolder.explain(reason, data)));
        String ownEtcd = options.etcd().isGiven() ? "" : startEtcd();
        KafkaConnections kafka = options.kafka().isGiven() ? options.givenKafka() : startBroker();
        ConnectorConfig config = options.connector(ownEtcd, kafka);
        EtcdClient demoClient = options.demoRate() > 0 ? loadDemo(config, ownEtcd) : null;
        Connector connector = ConnectorPart.start(config, running);
        NodePart node =
                NodePart.start(
                        options.streams(kafka),
                        options.query(),
                        options.peerSecrets(),
                        Optional.empty(),
                        Optional.of(connector),
                        Optional.empty(),
                        options.mirror().selfCheck(),
                        running);
        if (awaitReady(connector, node)) {
            printReady(connector.status(), node);
            if (demoClient != null) {
                keepChanging(config, demoClient);
            }
        }
    }

    private String startEtcd() throws IOException {
        EtcdBinary binary = EtcdLocator.locate(line -> screen.say("etcd", line));
        EtcdSettings settings =
                new EtcdSettings(data.resolve("etcd"), options.etcdPort(), ETCD_FLAGS);
        EtcdStart start = new EtcdStart();
        EtcdProcess etcd =
                running.start(
                        ShutdownStages.ETCD,
                        "etcd",
                        () -> EtcdProcess.start(binary, settings, start),
                        start);
        screen.say(
                "etcd",
                "%s is %s, %s".formatted(etcd.endpoint(), binary.version(), binary.origin()));
        var _ =
                etcd.onExit()
                        .thenAccept(code ->
                                running.failed(
                                        DataFolder.explain(
                                                "etcd ended with code %d; its log is %s"
                                                        .formatted(code, etcd.logFile()),
                                                data)));
        return etcd.endpoint();
    }

    private KafkaConnections startBroker() throws IOException {
        KafkaAccess access = OwnBroker.access(data, new KafkaTls.None(), options.rights());
        KafkaSettings settings =
                KafkaSettings.loopback(data.resolve("kafka"))
                        .withPort(options.kafkaPort())
                        .withAccess(access);
        EmbeddedKafka kafka =
                running.start(
                        ShutdownStages.BROKER, "Kafka broker", () -> EmbeddedKafka.start(settings));
        screen.say("kafka", kafka.bootstrapServers() + " in this process");
        return new KafkaConnections(
                kafka.bootstrapServers(),
                access.logins().clientSettings(KafkaUser.CONNECTOR),
                access.logins().clientSettings(KafkaUser.NODE));
    }

    private EtcdClient loadDemo(ConnectorConfig config, String etcd) throws IOException {
        screen.say("demo", "loading an example cluster into etcd");
        EtcdClient client =
                running.start(
                        ShutdownStages.DEMO_CLIENT,
                        "demo client",
                        () -> new EtcdClient(EtcdOptions.of(etcd)));
        int written = demo(config, client).load();
        screen.say(
                "demo",
                written == 0 ? "already loaded" : Screen.count(written) + " objects loaded");
        return client;
    }

    private void keepChanging(ConnectorConfig config, EtcdClient client) throws IOException {
        running.start(
                ShutdownStages.DEMO,
                "demo",
                () -> demo(config, client).keepChanging(options.demoRate()));
    }

    private static DemoCluster demo(ConnectorConfig config, EtcdClient client) {
        return new DemoCluster(client, config.prefix(), DEMO_SEED, InstantSource.system());
    }

    /** Waits until the node serves the revision at which the connector caught up with etcd. */
    private boolean awaitReady(Connector connector, NodePart node) {
        boolean following =
                running.await(() -> {
                    ConnectorStatus status = connector.status();
                    screen.say("connector", Progress.of(status));
                    return status.phase() == ConnectorStatus.Phase.FOLLOWING;
                });
        if (!following) {
            return false;
        }
        long revision = connector.status().revision();
        Progress progress = new Progress();
        return running.await(() -> {
            screen.say("node", progress.of(node.progress(), System.nanoTime()));
            return node.isReady() && node.covers(revision);
        });
    }

    private void printReady(ConnectorStatus status, NodePart node) {
        Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
        screen.print(
                "ready %s at revision %d, after %.1f s"
                        .formatted(node.url(), status.revision(), took.toMillis() / 1000.0));
        if (status.unreadableKeys() > 0) {
            screen.print(
                    "%s keys hold values that cannot be decoded; see %s/readyz?verbose"
                            .formatted(Screen.count(status.unreadableKeys()), node.url()));
        }
        String prefix = options.mirror().prefix().utf8();
        screen.print(
                options.demoRate() > 0
                        ? Suggestions.ofDemo(node.url(), prefix, options.madeAuthority())
                        : Suggestions.ofCluster(node.url(), prefix, options.madeAuthority()));
    }
}
