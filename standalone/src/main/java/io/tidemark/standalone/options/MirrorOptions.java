package io.tidemark.standalone.options;

import io.tidemark.client.UsageException;

import io.tidemark.connector.ConnectorConfig;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** What is mirrored and how far back it can be read: the connector and all nodes must agree. */
public final class MirrorOptions {
    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            description =
                    "etcd prefix that is mirrored, and where Kubernetes keys begin"
                            + " (default: ${DEFAULT-VALUE}).")
    private String prefix = "/registry/";

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            description =
                    "The mirror topic; dead letters go to NAME-dead-letters"
                            + " (default: ${DEFAULT-VALUE}).")
    private String topic = TopicSettings.DEFAULT.name();

    @Option(
            names = "--history",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = {
                "How far back reads and watches can go, such as 90m, 6h, 7d",
                "(default: 6h). The topic's compaction lag when it is created."
            })
    private Duration history = TopicSettings.DEFAULT.history();

    @Option(
            names = "--kubernetes-root",
            split = ",",
            paramLabel = "PREFIX",
            description = {
                "Where an API server keeps its objects in etcd (its --etcd-prefix), such as"
                        + " /kubernetes.io/",
                "of OpenShift: what lies in 'secrets/' below it is a Secret. Can be given several"
                        + " times, or",
                "with commas between (default: /registry/)."
            })
    private List<String> kubernetesRoots = List.of("/registry/");

    @Option(
            names = "--include-secrets",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = {
                "Mirror and serve Kubernetes Secrets too; otherwise neither what lies below a"
                        + " Kubernetes",
                "root's 'secrets/' nor any value that is a Secret reaches Kafka, and a node shows"
                        + " none,",
                "whatever the topic holds. A change of this, the roots or the prefix relists"
                        + " everything:",
                "watches end with 410, and the history begins there."
            })
    private boolean includeSecrets;

    @Option(
            names = "--self-check",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = {
                "How often every copy of every partition is compared with etcd, key by key;",
                "less often when that would cost more than about 1 %% of a core; 0 for never",
                "(default: 1m)."
            })
    private Duration selfCheck = ConnectorConfig.DEFAULT_SELF_CHECK;

    /** Zero for never. */
    public Duration selfCheck() {
        return selfCheck;
    }

    public Bytes prefix() {
        return Bytes.utf8(prefix);
    }

    /**
     * Where Kubernetes' objects lie in etcd.
     *
     * @throws UsageException if one is empty
     */
    public KubernetesRoots kubernetesRoots() {
        try {
            return KubernetesRoots.of(kubernetesRoots);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--kubernetes-root: " + e.getMessage());
        }
    }

    public boolean includeSecrets() {
        return includeSecrets;
    }

    public String topic() {
        return topic;
    }

    public Duration history() {
        return history;
    }
}
