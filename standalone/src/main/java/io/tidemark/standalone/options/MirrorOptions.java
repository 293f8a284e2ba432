package io.tidemark.standalone.options;

import io.tidemark.client.Durations;
import io.tidemark.client.UsageException;
import io.tidemark.connector.ConnectorConfig;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.record.Bytes;
import io.tidemark.record.secret.KeyRing;
import io.tidemark.standalone.options.security.SecretKeyFile;
import io.tidemark.standalone.options.security.StartupRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is mirrored and how far back it is readable. Equal for the connector and all nodes. */
public final class MirrorOptions {
    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            description =
                    "etcd prefix to mirror; Kubernetes resources are read below it"
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
                "Prefix of an API server's objects in etcd (its --etcd-prefix), such as"
                        + " /kubernetes.io/ for",
                "OpenShift: every key in 'secrets/' below it is a Secret. Repeatable, or separated"
                        + " by commas",
                "(default: /registry/)."
            })
    private List<String> kubernetesRoots = List.of("/registry/");

    @Option(
            names = "--include-secrets",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = {
                "Mirror and serve Kubernetes Secrets too. Without it, the connector writes neither"
                        + " keys below a",
                "Kubernetes root's 'secrets/' nor values that are Secrets to Kafka, and nodes do"
                        + " not serve those",
                "in the topic. Changing this, the roots or the prefix relists everything: watches"
                        + " end with 410,",
                "and the history begins there."
            })
    private boolean includeSecrets;

    @Option(
            names = "--secrets-key-file",
            paramLabel = "FILE",
            description = {
                "File with the keys that encrypt Secrets in Kafka and on disk, for"
                        + " --include-secrets: one key a",
                "line, 'ID BASE64' of 32 bytes. The first encrypts, all decrypt; the same file for"
                        + " connectors and",
                "nodes. It is reread when it changes. Only its owner may read it (mode 0600). up"
                        + " makes",
                "secrets.key in the data folder without it."
            })
    private String secretsKeyFile = "";

    private @Nullable SecretKeyFile keys;

    @Option(
            names = "--self-check",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = {
                "How often every replica of every partition is compared with etcd, key by key;",
                "less often if that would cost more than about 1 %% of a core; 0 for never",
                "(default: 1m)."
            })
    private Duration selfCheck = ConnectorConfig.DEFAULT_SELF_CHECK;

    /** Zero for never. */
    public Duration selfCheck() {
        return selfCheck;
    }

    /** The prefix of all mirrored keys. */
    public Bytes prefix() {
        return Bytes.utf8(prefix);
    }

    /**
     * The prefixes of Kubernetes objects in etcd.
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

    /** Whether the values of Secrets are mirrored. */
    public boolean includeSecrets() {
        return includeSecrets;
    }

    /** Without {@code --secrets-key-file}, keeps the keys in a file that the process makes. */
    public void keepSecretKeysIn(Path file) {
        if (includeSecrets && secretsKeyFile.isEmpty() && keys == null) {
            keys = new SecretKeyFile(file, true);
        }
    }

    /**
     * The keys that encrypt Secrets, opened at their first use; empty when Secrets are left out, or
     * included in clear.
     */
    public Optional<Supplier<KeyRing>> secretKeys() {
        if (includeSecrets && !secretsKeyFile.isEmpty() && keys == null) {
            keys = new SecretKeyFile(Path.of(secretsKeyFile), false);
        }
        return includeSecrets ? Optional.ofNullable(keys) : Optional.empty();
    }

    /**
     * Checks that Secrets are encrypted, with usable keys.
     *
     * @throws UsageException if they are included without keys, unless the rule allows that; if the
     *     given file cannot be used
     */
    public void requireSecretKeys(StartupRule rule) {
        rule.requireKeys(includeSecrets, secretKeys().isPresent());
        if (includeSecrets && !secretsKeyFile.isEmpty()) {
            openSecretKeys();
        }
    }

    /**
     * Opens the keys, if there are any; makes their file if that was asked for.
     *
     * @throws UsageException if the file cannot be used
     */
    public void openSecretKeys() {
        if (secretKeys().isPresent()) {
            KeyRing _ = secretKeys().get().get();
        }
    }

    public String topic() {
        return topic;
    }

    /** How long changes can be read back. */
    public Duration history() {
        return history;
    }
}
