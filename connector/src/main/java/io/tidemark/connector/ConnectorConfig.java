package io.tidemark.connector;

import io.tidemark.connector.feed.OnGap;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.etcd.EtcdOptions;
import io.tidemark.record.Bytes;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

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
 * @param onGap what becomes of open watches when etcd compacted changes before they were read
 * @param selfCheck how often etcd is summed up at most, for nodes to compare their copies with;
 *     zero for never
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
        boolean elected,
        OnGap onGap,
        Duration selfCheck) {
    /** How often etcd is summed up for the nodes' self-checks. */
    public static final Duration DEFAULT_SELF_CHECK = Duration.ofMinutes(1);

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
        if (selfCheck.isNegative()) {
            throw new IllegalArgumentException("self-check every " + selfCheck);
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
                false,
                OnGap.EXPIRE,
                DEFAULT_SELF_CHECK);
    }

    /** What is mirrored, as the marks say it: when it changes, the mirror is listed anew. */
    String scope() {
        return "%s with%s secrets".formatted(prefix, includeSecrets ? "" : "out");
    }

    public ConnectorConfig withPrefix(Bytes newPrefix) {
        return with(draft -> draft.prefix = newPrefix);
    }

    public ConnectorConfig withTopic(TopicSettings newTopic) {
        return with(draft -> draft.topic = newTopic);
    }

    public ConnectorConfig withKafka(Map<String, Object> newKafka) {
        return with(draft -> draft.kafka = newKafka);
    }

    public ConnectorConfig withSecrets(boolean included) {
        return with(draft -> draft.includeSecrets = included);
    }

    public ConnectorConfig withBackfill(long newBackfill) {
        return with(draft -> draft.backfill = newBackfill);
    }

    public ConnectorConfig withListen(ListenAddress newListen, String newAdvertise) {
        return with(draft -> {
            draft.listen = newListen;
            draft.advertise = newAdvertise;
        });
    }

    public ConnectorConfig withElection(boolean newElected) {
        return with(draft -> draft.elected = newElected);
    }

    public ConnectorConfig withOnGap(OnGap newOnGap) {
        return with(draft -> draft.onGap = newOnGap);
    }

    public ConnectorConfig withSelfCheck(Duration newSelfCheck) {
        return with(draft -> draft.selfCheck = newSelfCheck);
    }

    private ConnectorConfig with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.finished();
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

    /** One being made from another. */
    private static final class Draft {
        private final EtcdOptions etcd;
        private Bytes prefix;
        private final String kafkaBootstrap;
        private Map<String, Object> kafka;
        private TopicSettings topic;
        private boolean includeSecrets;
        private long backfill;
        private ListenAddress listen;
        private String advertise;
        private boolean elected;
        private OnGap onGap;
        private Duration selfCheck;

        private Draft(ConnectorConfig base) {
            etcd = base.etcd;
            prefix = base.prefix;
            kafkaBootstrap = base.kafkaBootstrap;
            kafka = base.kafka;
            topic = base.topic;
            includeSecrets = base.includeSecrets;
            backfill = base.backfill;
            listen = base.listen;
            advertise = base.advertise;
            elected = base.elected;
            onGap = base.onGap;
            selfCheck = base.selfCheck;
        }

        private ConnectorConfig finished() {
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
                    elected,
                    onGap,
                    selfCheck);
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
