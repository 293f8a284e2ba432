package io.tidemark.connector;

import io.tidemark.address.HostPort;
import io.tidemark.address.HttpAddress;
import io.tidemark.address.MachineAddress;
import io.tidemark.connector.feed.GapPolicy;
import io.tidemark.connector.redact.RedactionRules;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.credentials.MutualTls;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.http.AllowedHosts;
import io.tidemark.http.metrics.OtlpSettings;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.record.Bytes;
import io.tidemark.record.secret.KeyRing;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Settings of a connector.
 *
 * @param source what is mirrored, and how to reach it
 * @param prefix prefix of the keys to mirror; empty for everything
 * @param kafkaBootstrap HOST:PORT of brokers, separated by commas
 * @param kafka further settings of every Kafka client, such as TLS and SASL; they override the
 *     connector's defaults, except those that its correctness depends on
 * @param topic the mirror topic
 * @param kubernetesRoots etcd directories under which API servers keep their objects
 * @param includeSecrets whether Kubernetes Secrets are mirrored too. When this, the roots, the
 *     prefix or the redaction rules change, the mirror is relisted in a new epoch
 * @param redaction which values of objects never reach Kafka
 * @param backfill take the first list at most this many revisions before the newest: history is
 *     available from the start, at the price of a longer start; 0 for none
 * @param listen where barriers, health and metrics are served; port 0 picks a free one
 * @param advertise address under which query nodes reach {@code listen}; empty for {@code
 *     http://HOST:PORT} of it, with this machine's own address when it listens on all
 * @param elected whether this connector is one of several, of which one is elected to write;
 *     otherwise it is the only one: it writes at once, fences the previous writer, and writes again
 *     when it is fenced
 * @param onGap what happens to open watches when etcd compacted changes before they were read
 * @param selfCheck shortest interval between two digests of etcd, which nodes compare their
 *     replicas with; zero for never
 * @param allowedHosts accepted Host names, besides those that it listens on and advertises
 * @param peerSecrets secrets with which nodes of the group authenticate, see {@code NodeRoutes}
 * @param tls between the members of the group; empty for plain HTTP
 * @param secretKeys encrypt mirrored Secrets; empty to mirror them in clear. The mirror is relisted
 *     when it becomes present or empty, not when a key changes
 * @param otlp where metrics are sent; empty for nowhere
 */
public record ConnectorConfig(
        SourceOptions source,
        Bytes prefix,
        String kafkaBootstrap,
        Map<String, Object> kafka,
        TopicSettings topic,
        KubernetesRoots kubernetesRoots,
        boolean includeSecrets,
        RedactionRules redaction,
        long backfill,
        HostPort listen,
        String advertise,
        boolean elected,
        GapPolicy onGap,
        Duration selfCheck,
        AllowedHosts allowedHosts,
        PeerSecrets peerSecrets,
        Optional<MutualTls> tls,
        Optional<Supplier<KeyRing>> secretKeys,
        Optional<OtlpSettings> otlp) {
    /** Shortest interval between two digests of etcd for the nodes' self-checks. */
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
            throw new IllegalArgumentException(
                    "self-check interval must not be negative: " + selfCheck);
        }
        if (!advertise.isEmpty()) {
            HttpAddress _ = HttpAddress.ofUrl(advertise);
        }
    }

    /**
     * The defaults: {@code /registry/} into {@code tidemark}, without Secrets, and with a random
     * peer secret that only this process knows.
     */
    public static ConnectorConfig of(EtcdOptions etcd, String kafkaBootstrap) {
        return new ConnectorConfig(
                new SourceOptions.Etcd(etcd),
                DEFAULT_PREFIX,
                kafkaBootstrap,
                Map.of(),
                TopicSettings.DEFAULT,
                KubernetesRoots.DEFAULT,
                false,
                RedactionRules.NONE,
                DEFAULT_BACKFILL,
                new HostPort("127.0.0.1", 0),
                "",
                false,
                GapPolicy.EXPIRE,
                DEFAULT_SELF_CHECK,
                AllowedHosts.of(),
                PeerSecrets.random(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** The mirrored scope as tide marks record it: when it changes, the connector relists. */
    String scope() {
        String secrets = secretKeys.isPresent() ? "with encrypted" : "with";
        String scope =
                "%s %s Secrets, Kubernetes below %s"
                        .formatted(prefix, includeSecrets ? secrets : "without", kubernetesRoots);
        // Without rules, the text of mirrors that are older than them: those need no relist.
        return redaction.isEmpty() ? scope : scope + ", redacted " + redaction;
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

    public ConnectorConfig withKubernetesRoots(KubernetesRoots roots) {
        return with(draft -> draft.kubernetesRoots = roots);
    }

    public ConnectorConfig withSecrets(boolean included) {
        return with(draft -> draft.includeSecrets = included);
    }

    public ConnectorConfig withRedaction(RedactionRules rules) {
        return with(draft -> draft.redaction = rules);
    }

    public ConnectorConfig withBackfill(long newBackfill) {
        return with(draft -> draft.backfill = newBackfill);
    }

    public ConnectorConfig withListen(HostPort newListen, String newAdvertise) {
        return with(draft -> {
            draft.listen = newListen;
            draft.advertise = newAdvertise;
        });
    }

    public ConnectorConfig withElection(boolean newElected) {
        return with(draft -> draft.elected = newElected);
    }

    public ConnectorConfig withOnGap(GapPolicy newOnGap) {
        return with(draft -> draft.onGap = newOnGap);
    }

    public ConnectorConfig withSelfCheck(Duration newSelfCheck) {
        return with(draft -> draft.selfCheck = newSelfCheck);
    }

    public ConnectorConfig withAllowedHosts(AllowedHosts newHosts) {
        return with(draft -> draft.allowedHosts = newHosts);
    }

    public ConnectorConfig withPeerSecrets(PeerSecrets newSecrets) {
        return with(draft -> draft.peerSecrets = newSecrets);
    }

    public ConnectorConfig withTls(Optional<MutualTls> newTls) {
        return with(draft -> draft.tls = newTls);
    }

    public ConnectorConfig withSecretKeys(Optional<Supplier<KeyRing>> newKeys) {
        return with(draft -> draft.secretKeys = newKeys);
    }

    public ConnectorConfig withOtlp(Optional<OtlpSettings> newOtlp) {
        return with(draft -> draft.otlp = newOtlp);
    }

    private ConnectorConfig with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.finished();
    }

    /** Accepted Host names, including those that follow from the addresses. */
    AllowedHosts hosts() {
        AllowedHosts own =
                advertise.isEmpty()
                        ? AllowedHosts.of(listen.host())
                        : AllowedHosts.of(listen.host(), HttpAddress.ofUrl(advertise).host());
        return own.and(allowedHosts.names());
    }

    /**
     * The address that tide marks advertise, for nodes to request barriers at.
     *
     * @param port the port listened on
     */
    HttpAddress advertised(int port) {
        if (!advertise.isEmpty()) {
            HttpAddress named = HttpAddress.ofUrl(advertise);
            return tls.isPresent() ? named.overTls() : named;
        }
        String host = listen.host();
        try {
            if (InetAddress.getByName(host).isAnyLocalAddress()) {
                host = MachineAddress.find("--advertise");
            }
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "%s has no address, and none is advertised".formatted(host), e);
        }
        return new HttpAddress(tls.isPresent() ? "https" : "http", host, port);
    }

    /** A mutable copy, for the {@code with} methods. */
    private static final class Draft {
        private final SourceOptions source;
        private Bytes prefix;
        private final String kafkaBootstrap;
        private Map<String, Object> kafka;
        private TopicSettings topic;
        private KubernetesRoots kubernetesRoots;
        private boolean includeSecrets;
        private RedactionRules redaction;
        private long backfill;
        private HostPort listen;
        private String advertise;
        private boolean elected;
        private GapPolicy onGap;
        private Duration selfCheck;
        private AllowedHosts allowedHosts;
        private PeerSecrets peerSecrets;
        private Optional<MutualTls> tls;
        private Optional<Supplier<KeyRing>> secretKeys;
        private Optional<OtlpSettings> otlp;

        private Draft(ConnectorConfig base) {
            source = base.source;
            prefix = base.prefix;
            kafkaBootstrap = base.kafkaBootstrap;
            kafka = base.kafka;
            topic = base.topic;
            kubernetesRoots = base.kubernetesRoots;
            includeSecrets = base.includeSecrets;
            redaction = base.redaction;
            backfill = base.backfill;
            listen = base.listen;
            advertise = base.advertise;
            elected = base.elected;
            onGap = base.onGap;
            selfCheck = base.selfCheck;
            allowedHosts = base.allowedHosts;
            peerSecrets = base.peerSecrets;
            tls = base.tls;
            secretKeys = base.secretKeys;
            otlp = base.otlp;
        }

        private ConnectorConfig finished() {
            return new ConnectorConfig(
                    source,
                    prefix,
                    kafkaBootstrap,
                    kafka,
                    topic,
                    kubernetesRoots,
                    includeSecrets,
                    redaction,
                    backfill,
                    listen,
                    advertise,
                    elected,
                    onGap,
                    selfCheck,
                    allowedHosts,
                    peerSecrets,
                    tls,
                    secretKeys,
                    otlp);
        }
    }
}
