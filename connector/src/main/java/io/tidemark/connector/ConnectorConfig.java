package io.tidemark.connector;

import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.etcd.EtcdOptions;
import io.tidemark.record.Bytes;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Map;

/**
 * What a connector is to do.
 *
 * @param etcd how to reach etcd
 * @param prefix what is mirrored; may be empty for everything
 * @param kafkaBootstrap HOST:PORT of brokers, separated by commas
 * @param kafka further settings of every Kafka client, such as TLS and SASL; they are stronger than
 *     the connector's own, save for those that its correctness rests on
 * @param topic the mirror topic
 * @param includeSecrets whether Kubernetes Secrets are mirrored too. When this or the prefix
 *     changes, the mirror is listed anew, in an epoch of its own
 * @param backfill most revisions before the newest at which the first list is taken: history from
 *     the first minute, bought with a longer start; 0 for none
 * @param listen where barriers, health and metrics are served
 * @param advertise address under which query nodes reach {@code listen}; empty for {@code
 *     http://HOST:PORT} of it, with this machine's own address when it listens on all
 * @param elected whether it is one of several, of which one is elected to write; otherwise it
 *     writes at once, and shuts out whoever did before
 */
public record ConnectorConfig(
        EtcdOptions etcd,
        Bytes prefix,
        String kafkaBootstrap,
        Map<String, Object> kafka,
        TopicSettings topic,
        boolean includeSecrets,
        long backfill,
        ListenAddress listen,
        String advertise,
        boolean elected) {
    public static final Bytes DEFAULT_PREFIX = Bytes.utf8("/registry/");
    public static final long DEFAULT_BACKFILL = 100_000;

    public ConnectorConfig {
        kafka = Map.copyOf(kafka);
        if (kafkaBootstrap.isBlank()) {
            throw new IllegalArgumentException("no Kafka broker given; example: 127.0.0.1:9092");
        }
        if (backfill < 0) {
            throw new IllegalArgumentException(
                    "backfill must be 0 or more revisions, not " + backfill);
        }
        if (!advertise.isEmpty()) {
            requireUrl(advertise);
        }
    }

    /** The defaults: {@code /registry/} into {@code tidemark}, without Secrets. */
    public static ConnectorConfig of(EtcdOptions etcd, String kafkaBootstrap) {
        return new ConnectorConfig(
                etcd,
                DEFAULT_PREFIX,
                kafkaBootstrap,
                Map.of(),
                TopicSettings.DEFAULT,
                false,
                DEFAULT_BACKFILL,
                ListenAddress.ANY_LOOPBACK_PORT,
                "",
                false);
    }

    /** What is mirrored, as the marks say it: when it changes, the mirror is listed anew. */
    String scope() {
        return "%s with%s secrets".formatted(prefix, includeSecrets ? "" : "out");
    }

    public ConnectorConfig withPrefix(Bytes newPrefix) {
        return new ConnectorConfig(
                etcd,
                newPrefix,
                kafkaBootstrap,
                kafka,
                topic,
                includeSecrets,
                backfill,
                listen,
                advertise,
                elected);
    }

    public ConnectorConfig withTopic(TopicSettings newTopic) {
        return new ConnectorConfig(
                etcd,
                prefix,
                kafkaBootstrap,
                kafka,
                newTopic,
                includeSecrets,
                backfill,
                listen,
                advertise,
                elected);
    }

    public ConnectorConfig withKafka(Map<String, Object> newKafka) {
        return new ConnectorConfig(
                etcd,
                prefix,
                kafkaBootstrap,
                newKafka,
                topic,
                includeSecrets,
                backfill,
                listen,
                advertise,
                elected);
    }

    public ConnectorConfig withSecrets(boolean included) {
        return new ConnectorConfig(
                etcd,
                prefix,
                kafkaBootstrap,
                kafka,
                topic,
                included,
                backfill,
                listen,
                advertise,
                elected);
    }

    public ConnectorConfig withBackfill(long newBackfill) {
        return new ConnectorConfig(
                etcd,
                prefix,
                kafkaBootstrap,
                kafka,
                topic,
                includeSecrets,
                newBackfill,
                listen,
                advertise,
                elected);
    }

    public ConnectorConfig withListen(ListenAddress newListen, String newAdvertise) {
        return new ConnectorConfig(
                etcd,
                prefix,
                kafkaBootstrap,
                kafka,
                topic,
                includeSecrets,
                backfill,
                newListen,
                newAdvertise,
                elected);
    }

    public ConnectorConfig withElection(boolean newElected) {
        return new ConnectorConfig(
                etcd,
                prefix,
                kafkaBootstrap,
                kafka,
                topic,
                includeSecrets,
                backfill,
                listen,
                advertise,
                newElected);
    }

    /**
     * What the marks say about where barriers are taken.
     *
     * @param port that is listened on
     */
    String advertisedUrl(int port) {
        if (!advertise.isEmpty()) {
            return advertise;
        }
        String host = listen.host();
        try {
            if (InetAddress.getByName(host).isAnyLocalAddress()) {
                host = InetAddress.getLocalHost().getHostAddress();
            }
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "%s has no address, and none is advertised".formatted(host), e);
        }
        return "http://%s:%d".formatted(host.contains(":") ? "[" + host + "]" : host, port);
    }

    /**
     * Where to listen.
     *
     * @param port 0 picks a free one
     */
    public record ListenAddress(String host, int port) {
        public static final ListenAddress ANY_LOOPBACK_PORT = new ListenAddress("127.0.0.1", 0);

        public ListenAddress {
            if (host.isBlank() || port < 0 || port > 65535) {
                throw new IllegalArgumentException("no address to listen on: " + host + ":" + port);
            }
        }
    }

    private static void requireUrl(String advertise) {
        URI uri;
        try {
            uri = URI.create(advertise);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("not a URL: " + advertise, e);
        }
        if (uri.getHost() == null || !String.valueOf(uri.getScheme()).matches("https?")) {
            throw new IllegalArgumentException(
                    "the advertised address '%s' is not of the form http://HOST:PORT"
                            .formatted(advertise));
        }
    }
}
