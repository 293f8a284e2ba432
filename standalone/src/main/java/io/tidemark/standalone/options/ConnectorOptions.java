package io.tidemark.standalone.options;

import io.tidemark.address.HostPort;
import io.tidemark.client.UsageException;
import io.tidemark.connector.ConnectorConfig;
import io.tidemark.connector.SourceOptions;
import io.tidemark.connector.feed.GapPolicy;
import io.tidemark.connector.redact.RedactionRules;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.http.AllowedHosts;
import io.tidemark.nodeauth.PeerSecrets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The connector's options, and those of the mirror topic that it creates. */
public final class ConnectorOptions {
    @Option(
            names = "--partitions",
            paramLabel = "N",
            description =
                    "Partitions of the mirror topic when it is created (default:"
                            + " ${DEFAULT-VALUE}).")
    private int partitions = TopicSettings.DEFAULT.partitions();

    @Option(
            names = "--replication-factor",
            paramLabel = "N",
            description =
                    "Replication factor of the mirror topic when it is created; -1 for the"
                            + " brokers' default (default: ${DEFAULT-VALUE}).")
    private short replicationFactor = -1;

    @Option(
            names = "--backfill",
            paramLabel = "REVISIONS",
            description = {
                "How many revisions back the initial list starts, as far as etcd still has them,"
                        + " so that",
                "history is available from the start; 0 for none (default: ${DEFAULT-VALUE})."
            })
    private long backfill = ConnectorConfig.DEFAULT_BACKFILL;

    @Option(
            names = "--on-gap",
            paramLabel = "POLICY",
            description = {
                "When etcd has compacted changes before the connector read them: expire ends open"
                        + " watches with",
                "410; bridge pushes the net change of each key and keeps them open, a weaker"
                        + " guarantee (default: ${DEFAULT-VALUE})."
            })
    private String onGap = "expire";

    @Option(
            names = "--redact",
            paramLabel = "RESOURCE=PATH",
            description = {
                "Values that never reach Kafka: each becomes the text 'redacted'. Such as"
                        + " configmaps=.data.password or",
                "deployments.apps=.spec.template.spec.containers[*].env[*].value; [*] are all"
                        + " elements or members,",
                "['a.b'] is a member with an odd name. Such objects lose their managedFields, too."
                        + " Repeatable, or",
                "separated by commas. Changing the rules relists everything, like"
                        + " --include-secrets."
            })
    private List<String> redact = List.of();

    /**
     * The rules of {@code --redact}.
     *
     * @throws UsageException if one is malformed or refused
     */
    public RedactionRules redaction() {
        try {
            return RedactionRules.parse(redact);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--redact: " + e.getMessage());
        }
    }

    private static GapPolicy onGap(String policy) {
        return switch (policy) {
            case "expire" -> GapPolicy.EXPIRE;
            case "bridge" -> GapPolicy.BRIDGE;
            default ->
                    throw new IllegalArgumentException(
                            "--on-gap must be expire or bridge, not " + policy);
        };
    }

    /**
     * The connector's configuration, with a random peer secret.
     *
     * @param advertise URL for query nodes; empty for the listening address
     * @param elected whether connectors elect one leader; false for the only connector
     * @throws UsageException if a value is out of bounds
     */
    public ConnectorConfig connector(
            SourceOptions source,
            String kafkaBootstrap,
            Map<String, Object> kafka,
            MirrorOptions mirror,
            HostPort listen,
            String advertise,
            boolean elected) {
        return UsageException.unlessValid(() ->
                new ConnectorConfig(
                        source,
                        mirror.prefix(),
                        kafkaBootstrap,
                        kafka,
                        topic(mirror),
                        mirror.kubernetesRoots(),
                        mirror.includeSecrets(),
                        redaction(),
                        backfill,
                        listen,
                        advertise,
                        elected,
                        onGap(onGap),
                        mirror.selfCheck(),
                        AllowedHosts.of(),
                        PeerSecrets.random(),
                        Optional.empty(),
                        mirror.secretKeys(),
                        Optional.empty()));
    }

    /**
     * The mirror topic's required settings.
     *
     * @throws UsageException if a value is out of bounds
     */
    public TopicSettings topic(MirrorOptions mirror) {
        return UsageException.unlessValid(() ->
                new TopicSettings(mirror.topic(), partitions, replicationFactor, mirror.history()));
    }
}
