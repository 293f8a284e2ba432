package io.tidemark.streams;

import static java.util.Objects.requireNonNull;

import io.tidemark.streams.group.SessionTimeoutResolver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * The facts about the mirror topic and its brokers that a node depends on.
 *
 * @param id Kafka's topic id: differs after the topic was deleted and created again
 * @param compactionLag how long every record is kept at least
 * @param deleteRetention how long the record of a delete is kept at least
 * @param session the group's session timeout, see {@link SessionTimeoutResolver}
 */
record TopicFacts(
        String id,
        int partitions,
        Duration compactionLag,
        Duration deleteRetention,
        Duration session) {
    private static final Duration FOREVER = Duration.ofDays(36_500);
    private static final long TIMEOUT_SECONDS = 20;

    /**
     * Reads the facts from the brokers.
     *
     * @param settings name the topic, and the compaction lag to assume when its setting may not be
     *     read: the history window
     * @param warnings gets what an operator should know of the topic's settings
     * @throws ExecutionException when there is no such topic, or no answer
     */
    static TopicFacts read(Admin admin, StreamsSettings settings, Consumer<String> warnings)
            throws InterruptedException, ExecutionException, TimeoutException {
        String topic = settings.topic();
        Duration lagUnlessKnown = settings.historyWindow();
        TopicDescription description = describe(admin, topic);
        String id = description.topicId().toString();
        int partitions = description.partitions().size();
        Duration session = SessionTimeoutResolver.choose(settings.kafka(), admin);
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            Map<ConfigResource, Config> configs =
                    admin.describeConfigs(List.of(resource))
                            .all()
                            .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            Config config = requireNonNull(configs.get(resource));
            warnOfOddities(topic, config, warnings);
            boolean compacted =
                    value(config, TopicConfig.CLEANUP_POLICY_CONFIG).contains("compact");
            return new TopicFacts(
                    id,
                    partitions,
                    compacted ? millis(config, TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG) : FOREVER,
                    compacted ? millis(config, TopicConfig.DELETE_RETENTION_MS_CONFIG) : FOREVER,
                    session);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof AuthorizationException)) {
                throw e;
            }
            warnings.accept(
                    "cannot read the settings of topic %s (%s): assuming a compaction lag of %s"
                            .formatted(topic, e.getCause(), lagUnlessKnown));
            return new TopicFacts(id, partitions, lagUnlessKnown, lagUnlessKnown, session);
        }
    }

    /**
     * What makes it another topic than when these facts were read; empty when it is the same.
     *
     * @throws ExecutionException when there is no such topic, or no answer
     */
    Optional<String> difference(Admin admin, String topic)
            throws InterruptedException, ExecutionException, TimeoutException {
        TopicDescription now = describe(admin, topic);
        if (!now.topicId().toString().equals(id)) {
            return Optional.of("topic %s was deleted and created again".formatted(topic));
        }
        return now.partitions().size() == partitions
                ? Optional.empty()
                : Optional.of(
                        "topic %s now has %d partitions instead of %d"
                                .formatted(topic, now.partitions().size(), partitions));
    }

    /** As a broker answers, which learns of changes from its controller. */
    static TopicDescription describe(Admin admin, String topic)
            throws InterruptedException, ExecutionException, TimeoutException {
        return requireNonNull(admin.describeTopics(List.of(topic)).topicNameValues().get(topic))
                .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    private static void warnOfOddities(String topic, Config config, Consumer<String> warnings) {
        if (!value(config, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).equals("LogAppendTime")) {
            warnings.accept(
                    "topic "
                            + topic
                            + " does not use LogAppendTime: staleness depends on the connector's"
                            + " clock");
        }
        if (value(config, TopicConfig.CLEANUP_POLICY_CONFIG).contains("delete")) {
            warnings.accept(
                    "topic "
                            + topic
                            + " deletes old records: a rebuilt store will lack objects that have"
                            + " not changed since");
        }
    }

    private static Duration millis(Config config, String name) {
        long millis = Long.parseLong(value(config, name));
        return millis > FOREVER.toMillis() ? FOREVER : Duration.ofMillis(Math.max(1, millis));
    }

    private static String value(Config config, String name) {
        return config.get(name).value();
    }
}
