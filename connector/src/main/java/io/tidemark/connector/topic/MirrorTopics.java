package io.tidemark.connector.topic;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates and checks the mirror topic and its dead-letter topic. */
public final class MirrorTopics {
    private static final Logger LOG = LoggerFactory.getLogger(MirrorTopics.class);
    private static final long CALL_SECONDS = 20;

    /** A new topic takes a while to become known to every broker, and none notifies of it. */
    private static final int LOOKUP_ATTEMPTS = 50;

    private static final long LOOKUP_PAUSE_MILLIS = 100;

    private final Admin admin;
    private final TopicSettings settings;
    private final String bootstrap;

    /**
     * @param admin stays owned by the caller
     * @param bootstrap for the commands in findings
     */
    public MirrorTopics(Admin admin, TopicSettings settings, String bootstrap) {
        this.admin = admin;
        this.settings = settings;
        this.bootstrap = bootstrap;
    }

    /**
     * The topic that exists.
     *
     * @param maxMessageBytes most bytes of a record batch
     */
    public record Prepared(int partitions, int maxMessageBytes, List<TopicFinding> findings) {
        public Prepared {
            findings = List.copyOf(findings);
        }

        /** The findings that forbid writing, as one text; empty when there are none. */
        public Optional<String> invalidReason() {
            List<String> lines =
                    findings.stream()
                            .filter(TopicFinding::dangerous)
                            .map(TopicFinding::line)
                            .toList();
            return lines.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", lines));
        }
    }

    /**
     * Creates missing topics and checks existing ones.
     *
     * @throws ExecutionException when Kafka refuses
     * @throws TimeoutException when it does not answer
     */
    public Prepared prepare() throws ExecutionException, TimeoutException, InterruptedException {
        Map<String, String> configs = settings.configs();
        boolean created = create(settings.name(), settings.partitions(), configs);
        Map<String, String> letters = new HashMap<>(configs);
        letters.remove(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG);
        boolean _ = create(settings.deadLetters(), 1, letters);
        int partitions = partitions(settings.name());
        int _ = partitions(settings.deadLetters());
        Prepared prepared = readSettings(partitions);
        for (TopicFinding finding : prepared.findings()) {
            if (finding.dangerous()) {
                LOG.error("{}", finding.line());
            } else {
                LOG.warn("{}", finding.line());
            }
        }
        if (!created) {
            LOG.info("topic {} has {} partitions", settings.name(), partitions);
        }
        return prepared;
    }

    /**
     * Creates the election's control topic if it is missing.
     *
     * @throws ExecutionException when Kafka refuses
     * @throws TimeoutException when it does not answer
     */
    public void prepareControl() throws ExecutionException, TimeoutException, InterruptedException {
        boolean _ = create(settings.control(), 1, Map.of());
        int _ = partitions(settings.control());
    }

    /**
     * Checks the existing topic without changes.
     *
     * @return empty when there is no mirror topic yet
     * @throws ExecutionException when Kafka refuses
     * @throws TimeoutException when it does not answer
     */
    public Optional<Prepared> inspect()
            throws ExecutionException, TimeoutException, InterruptedException {
        return exists(settings.name())
                ? Optional.of(readSettings(partitions(settings.name())))
                : Optional.empty();
    }

    /**
     * Checks whether the mirror topic could be created, without creating it.
     *
     * @throws ExecutionException when Kafka would refuse
     * @throws TimeoutException when it does not answer
     */
    public void validateCreate() throws ExecutionException, TimeoutException, InterruptedException {
        NewTopic topic = newTopic(settings.name(), settings.partitions(), settings.configs());
        get(admin.createTopics(List.of(topic), new CreateTopicsOptions().validateOnly(true)).all());
    }

    private Prepared readSettings(int partitions)
            throws ExecutionException, TimeoutException, InterruptedException {
        Map<String, String> actual = actualConfigs();
        String limit = actual.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
        return new Prepared(
                partitions,
                limit == null ? TopicSettings.MAX_MESSAGE_BYTES : Integer.parseInt(limit),
                TopicCheck.of(settings, bootstrap, partitions, actual));
    }

    private boolean create(String name, int partitions, Map<String, String> configs)
            throws ExecutionException, TimeoutException, InterruptedException {
        if (exists(name)) {
            return false;
        }
        try {
            get(admin.createTopics(List.of(newTopic(name, partitions, configs))).all());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TopicExistsException) {
                return false;
            }
            throw e;
        }
        LOG.info("created topic {} with {} partitions", name, partitions);
        return true;
    }

    private NewTopic newTopic(String name, int partitions, Map<String, String> configs) {
        Optional<Short> replication =
                settings.replicationFactor() == -1
                        ? Optional.empty()
                        : Optional.of(settings.replicationFactor());
        return new NewTopic(name, Optional.of(partitions), replication).configs(configs);
    }

    private boolean exists(String name)
            throws ExecutionException, TimeoutException, InterruptedException {
        try {
            return get(admin.describeTopics(List.of(name)).allTopicNames()).containsKey(name);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return false;
            }
            throw e;
        }
    }

    private int partitions(String name)
            throws ExecutionException, TimeoutException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return get(admin.describeTopics(List.of(name)).allTopicNames()).values().stream()
                        .mapToInt(topic -> topic.partitions().size())
                        .sum();
            } catch (ExecutionException e) {
                boolean unknown = e.getCause() instanceof UnknownTopicOrPartitionException;
                if (!unknown || attempt == LOOKUP_ATTEMPTS) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(LOOKUP_PAUSE_MILLIS);
            }
        }
    }

    private Map<String, String> actualConfigs()
            throws ExecutionException, TimeoutException, InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, settings.name());
        Map<String, String> configs = new HashMap<>();
        for (Config config : get(admin.describeConfigs(List.of(resource)).all()).values()) {
            for (ConfigEntry entry : config.entries()) {
                if (entry.value() != null) {
                    configs.put(entry.name(), entry.value());
                }
            }
        }
        return configs;
    }

    private static <T> T get(KafkaFuture<T> future)
            throws ExecutionException, TimeoutException, InterruptedException {
        return future.get(CALL_SECONDS, TimeUnit.SECONDS);
    }
}
