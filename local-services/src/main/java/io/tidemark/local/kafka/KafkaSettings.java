package io.tidemark.local.kafka;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Settings of an {@link EmbeddedKafka}.
 *
 * @param dataDirectory for the log and the cluster's metadata; reusing it restarts the same
 *     cluster, with its topics
 * @param host to listen on; a wildcard such as 0.0.0.0 needs {@code advertise}
 * @param port to listen on; 0 picks a free one
 * @param advertise HOST:PORT advertised to clients; empty for the listening address
 * @param overrides further broker properties, which override those of this class
 * @param access who may do what; empty for a broker without logins, at which everyone may do all
 */
public record KafkaSettings(
        Path dataDirectory,
        String host,
        int port,
        String advertise,
        Map<String, String> overrides,
        Optional<KafkaAccess> access) {

    /** Objects of 8 MiB, the mirror topic's limit, plus record overhead. */
    private static final int MAX_MESSAGE_BYTES = 9 * 1024 * 1024;

    public KafkaSettings {
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("port " + port + " is not within 0 and 65535");
        }
        overrides = Map.copyOf(overrides);
    }

    /** A broker on a free loopback port. */
    public static KafkaSettings loopback(Path dataDirectory) {
        return new KafkaSettings(dataDirectory, "127.0.0.1", 0, "", Map.of(), Optional.empty());
    }

    public KafkaSettings withPort(int newPort) {
        return new KafkaSettings(dataDirectory, host, newPort, advertise, overrides, access);
    }

    public KafkaSettings withOverrides(Map<String, String> newOverrides) {
        return new KafkaSettings(dataDirectory, host, port, advertise, newOverrides, access);
    }

    public KafkaSettings withAccess(KafkaAccess newAccess) {
        return new KafkaSettings(
                dataDirectory, host, port, advertise, overrides, Optional.of(newAccess));
    }

    String advertised(int listenPort) {
        return advertise.isEmpty() ? host + ":" + listenPort : advertise;
    }

    /** The broker's properties, for one node that is broker and controller at once. */
    Properties brokerProperties(int listenPort, int controllerPort) {
        Properties properties = new Properties();
        properties.putAll(
                Map.of(
                        "process.roles",
                        "broker,controller",
                        "node.id",
                        Integer.toString(EmbeddedKafka.NODE_ID),
                        "controller.quorum.voters",
                        EmbeddedKafka.NODE_ID + "@127.0.0.1:" + controllerPort,
                        "listeners",
                        "CLIENTS://%s:%d,CONTROLLER://127.0.0.1:%d"
                                .formatted(host, listenPort, controllerPort),
                        "advertised.listeners",
                        "CLIENTS://" + advertised(listenPort),
                        "listener.security.protocol.map",
                        "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT",
                        "inter.broker.listener.name",
                        "CLIENTS",
                        "controller.listener.names",
                        "CONTROLLER",
                        "log.dirs",
                        dataDirectory.toAbsolutePath().toString()));
        properties.putAll(ONE_NODE);
        properties.putAll(SMALL);
        properties.putAll(QUICK);
        access.ifPresent(limited -> properties.putAll(limited.brokerProperties()));
        properties.putAll(overrides);
        return properties;
    }

    /** No replication. */
    private static final Map<String, String> ONE_NODE =
            Map.of(
                    "offsets.topic.replication.factor", "1",
                    "transaction.state.log.replication.factor", "1",
                    "transaction.state.log.min.isr", "1",
                    "share.coordinator.state.topic.replication.factor", "1",
                    "share.coordinator.state.topic.min.isr", "1",
                    "default.replication.factor", "1",
                    "min.insync.replicas", "1",
                    // The connector creates topics, with their settings.
                    "auto.create.topics.enable", "false");

    /** Sized for the mirror of one cluster: few threads, files and buffers. */
    private static final Map<String, String> SMALL =
            Map.of(
                    // No records without content twice a second: only followers need them.
                    "metadata.max.idle.interval.ms", "0",
                    "offsets.topic.num.partitions", "4",
                    "transaction.state.log.num.partitions", "4",
                    "num.network.threads", "2",
                    "num.io.threads", "4",
                    "log.cleaner.threads", "1",
                    // 24 bytes a key: 1.2 million keys a pass, instead of 128 MiB of heap.
                    "log.cleaner.dedupe.buffer.size", Integer.toString(32 * 1024 * 1024),
                    "message.max.bytes", Integer.toString(MAX_MESSAGE_BYTES),
                    "replica.fetch.max.bytes", Integer.toString(MAX_MESSAGE_BYTES));

    /** Short waits; the defaults are meant for many members over a network. */
    private static final Map<String, String> QUICK =
            Map.of(
                    "group.initial.rebalance.delay.ms", "0",
                    // Allows short session timeouts, so that a killed process is replaced soon.
                    "group.min.session.timeout.ms", "500",
                    // The first write of a transaction waits for the previous one's markers.
                    "add.partitions.to.txn.retry.backoff.ms", "1",
                    "add.partitions.to.txn.retry.backoff.max.ms", "5",
                    "transaction.max.timeout.ms", "900000",
                    // A killed broker is unfenced after this instead of 9 s, before the sessions of
                    // its group members expire, who cannot reach it until then.
                    "broker.session.timeout.ms", "2000",
                    // Each takes a request through the controller, also while nothing else happens.
                    "broker.heartbeat.interval.ms", "500");
}
