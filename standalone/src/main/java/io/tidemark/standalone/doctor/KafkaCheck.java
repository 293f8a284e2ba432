package io.tidemark.standalone.doctor;

import io.tidemark.connector.sink.KafkaClients;
import io.tidemark.connector.topic.MirrorTopics;
import io.tidemark.connector.topic.TopicFinding;
import io.tidemark.connector.topic.TopicSettings;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Checks a Kafka cluster for use by the connector and the nodes: whether it answers, whether the
 * mirror topic is valid or could be created, and whether the needed operations are authorized.
 * Changes nothing and does not affect running members. Bounded: at most 10 s for each request.
 */
public final class KafkaCheck {
    private static final int TIMEOUT_MILLIS = 10_000;

    private final String bootstrapServers;
    private final Map<String, Object> clientSettings;
    private final TopicSettings topic;
    private final String group;
    private final Set<KafkaRight.Role> roles;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * @param bootstrapServers HOST:PORT, separated by commas
     * @param clientSettings further settings of Kafka's clients
     * @param topic the mirror topic's required settings
     * @param group the nodes' consumer group
     * @param roles whose rights the Kafka user of {@code clientSettings} needs
     */
    public KafkaCheck(
            String bootstrapServers,
            Map<String, Object> clientSettings,
            TopicSettings topic,
            String group,
            Set<KafkaRight.Role> roles) {
        this.bootstrapServers = bootstrapServers;
        Map<String, Object> bounded = new HashMap<>(clientSettings);
        bounded.put("default.api.timeout.ms", TIMEOUT_MILLIS);
        bounded.put("request.timeout.ms", TIMEOUT_MILLIS / 2);
        this.clientSettings = bounded;
        this.topic = topic;
        this.group = group;
        this.roles = Set.copyOf(roles);
    }

    /** May be called once. */
    public List<Finding> run() {
        try (Admin admin = new KafkaClients(bootstrapServers, clientSettings).admin()) {
            if (cluster(admin)) {
                topic(admin);
                for (KafkaRight right : KafkaRight.of(topic, group)) {
                    if (roles.contains(right.role())) {
                        attempt(
                                right.subject(),
                                right.advice(right.operations()),
                                () -> check(admin, right));
                    }
                }
            }
        } catch (KafkaException unusable) {
            findings.add(
                    Finding.fail(
                            "Kafka's clients cannot be created: " + reason(unusable),
                            "check --kafka and the file that --kafka-config names"));
        }
        return List.copyOf(findings);
    }

    private boolean cluster(Admin admin) {
        return attempt(
                "Kafka at " + bootstrapServers,
                "check that a broker listens there, and that --kafka-config has the security"
                        + " settings that it needs",
                () -> {
                    DescribeClusterResult cluster =
                            admin.describeCluster(
                                    new DescribeClusterOptions().includeAuthorizedOperations(true));
                    int brokers = get(cluster.nodes()).size();
                    return Finding.ok(
                            "Kafka at %s answers: cluster %s, %d %s"
                                    .formatted(
                                            bootstrapServers,
                                            get(cluster.clusterId()),
                                            brokers,
                                            brokers == 1 ? "broker" : "brokers"));
                });
    }

    /** Whether the mirror topic is as it must be, or can be made so. */
    private void topic(Admin admin) {
        MirrorTopics topics = new MirrorTopics(admin, topic, bootstrapServers);
        attempt(
                "the topic " + topic.name(),
                "allow DescribeConfigs on it, and Create to the connector if it does not exist",
                () -> {
                    Optional<MirrorTopics.Prepared> present = topics.inspect();
                    if (present.isPresent()) {
                        present.get().findings().forEach(one -> findings.add(finding(one)));
                        return Finding.ok(
                                "the topic %s has %d partitions"
                                        .formatted(topic.name(), present.get().partitions()));
                    }
                    if (!roles.contains(KafkaRight.Role.CONNECTOR)) {
                        return Finding.warn(
                                "the topic %s does not exist".formatted(topic.name()),
                                "start a connector, which creates it");
                    }
                    topics.validateCreate();
                    return Finding.ok(
                            "the topic %s does not exist and can be created"
                                    .formatted(topic.name()));
                });
    }

    private static Finding finding(TopicFinding found) {
        String what =
                "topic %s: %s is %s, wanted %s"
                        .formatted(found.topic(), found.setting(), found.actual(), found.wanted());
        String advice = found.why() + (found.fix().isEmpty() ? "" : "; " + found.fix());
        return found.dangerous() ? Finding.fail(what, advice) : Finding.warn(what, advice);
    }

    private Finding check(Admin admin, KafkaRight right) throws Exception {
        return switch (right.type()) {
            case TOPIC -> topicRight(admin, right);
            case GROUP -> groupRight(admin, right);
            default -> transactionalIdRight(admin, right);
        };
    }

    private static Finding topicRight(Admin admin, KafkaRight right) throws Exception {
        try {
            TopicDescription description =
                    get(admin.describeTopics(
                                            List.of(right.name()),
                                            new DescribeTopicsOptions()
                                                    .includeAuthorizedOperations(true))
                                    .allTopicNames())
                            .getOrDefault(
                                    right.name(),
                                    new TopicDescription(right.name(), false, List.of()));
            return allows(right, description.authorizedOperations(), "");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return Finding.ok(right.subject() + " does not exist yet");
            }
            throw e;
        }
    }

    private static Finding transactionalIdRight(Admin admin, KafkaRight right) throws Exception {
        try {
            get(admin.describeTransactions(List.of(right.name())).all());
            return Finding.ok(right.subject() + " is or was in use");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TransactionalIdNotFoundException) {
                return Finding.ok(right.subject() + " is free");
            }
            throw e;
        }
    }

    private static Finding groupRight(Admin admin, KafkaRight right) throws Exception {
        try {
            ConsumerGroupDescription description =
                    get(
                            Objects.requireNonNull(
                                    admin.describeConsumerGroups(
                                                    List.of(right.name()),
                                                    new DescribeConsumerGroupsOptions()
                                                            .includeAuthorizedOperations(true))
                                            .describedGroups()
                                            .get(right.name())));
            return allows(
                    right,
                    description.authorizedOperations(),
                    " and has %d members".formatted(description.members().size()));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return Finding.ok(right.subject() + " is free");
            }
            throw e;
        }
    }

    private static Finding allows(
            KafkaRight right, @Nullable Set<AclOperation> allowed, String more) {
        Set<AclOperation> missing = missing(right.operations(), allowed);
        return missing.isEmpty()
                ? Finding.ok(
                        "%s allows %s%s"
                                .formatted(
                                        right.subject(),
                                        KafkaRight.names(right.operations(), ", "),
                                        more))
                : Finding.fail(
                        "%s does not allow %s"
                                .formatted(right.subject(), KafkaRight.names(missing, ", ")),
                        right.advice(missing));
    }

    /** A cluster without authorization returns no operations: all are allowed. */
    private static Set<AclOperation> missing(
            Set<AclOperation> needed, @Nullable Set<AclOperation> allowed) {
        if (allowed == null || allowed.isEmpty() || allowed.contains(AclOperation.ALL)) {
            return Set.of();
        }
        EnumSet<AclOperation> missing = EnumSet.copyOf(needed);
        missing.removeAll(allowed);
        return missing;
    }

    /** Adds the check's finding, or that the check failed. */
    private boolean attempt(String subject, String advice, Callable<Finding> check) {
        try {
            findings.add(check.call());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            findings.add(Finding.warn(subject + " was not checked", "interrupted: try again"));
        } catch (Exception e) {
            findings.add(Finding.fail(subject + ": " + reason(e), advice));
        }
        return false;
    }

    private static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof ExecutionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        return switch (cause) {
            case TimeoutException _, org.apache.kafka.common.errors.TimeoutException _ ->
                    "no answer within %d s".formatted(TIMEOUT_MILLIS / 1000);
            case AuthenticationException denied -> "login refused: " + denied.getMessage();
            case AuthorizationException denied -> "not allowed: " + denied.getMessage();
            case KafkaException failed when failed.getCause() != null ->
                    failed.getMessage() + ": " + failed.getCause().getMessage();
            default -> String.valueOf(cause.getMessage());
        };
    }

    private static <T> T get(KafkaFuture<T> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(2L * TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    }
}
