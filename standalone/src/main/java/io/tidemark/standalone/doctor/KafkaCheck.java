package io.tidemark.standalone.doctor;

import io.tidemark.connector.sink.KafkaClients;
import io.tidemark.connector.topic.MirrorTopics;
import io.tidemark.connector.topic.TopicFinding;
import io.tidemark.connector.topic.TopicSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

/**
 * Checks a Kafka cluster for use by the connector and the nodes: whether it answers, whether the
 * mirror topic is valid or could be created, and whether the needed operations are authorized.
 * Changes nothing and does not affect running members. Bounded: at most 10 s for each request.
 */
public final class KafkaCheck {
    private static final int TIMEOUT_MILLIS = 10_000;

    /** Operations of the connector and the nodes on the topic. */
    private static final Set<AclOperation> TOPIC_OPERATIONS =
            EnumSet.of(
                    AclOperation.READ,
                    AclOperation.WRITE,
                    AclOperation.DESCRIBE,
                    AclOperation.DESCRIBE_CONFIGS);

    private final String bootstrapServers;
    private final Map<String, Object> clientSettings;
    private final TopicSettings topic;
    private final String group;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * @param bootstrapServers HOST:PORT, separated by commas
     * @param clientSettings further settings of Kafka's clients
     * @param topic the mirror topic's required settings
     * @param group the nodes' consumer group
     */
    public KafkaCheck(
            String bootstrapServers,
            Map<String, Object> clientSettings,
            TopicSettings topic,
            String group) {
        this.bootstrapServers = bootstrapServers;
        Map<String, Object> bounded = new HashMap<>(clientSettings);
        bounded.put("default.api.timeout.ms", TIMEOUT_MILLIS);
        bounded.put("request.timeout.ms", TIMEOUT_MILLIS / 2);
        this.clientSettings = bounded;
        this.topic = topic;
        this.group = group;
    }

    /** May be called once. */
    public List<Finding> run() {
        try (Admin admin = new KafkaClients(bootstrapServers, clientSettings).admin()) {
            if (cluster(admin)) {
                topic(admin);
                attempt(
                        "the transactional id " + topic.transactionalId(),
                        "allow DESCRIBE and WRITE on it to the connector",
                        () -> transactionalId(admin));
                attempt(
                        "the consumer group " + group,
                        "allow DESCRIBE and READ on it to the nodes",
                        () -> group(admin));
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

    private void topic(Admin admin) {
        MirrorTopics topics = new MirrorTopics(admin, topic, bootstrapServers);
        attempt(
                "the topic " + topic.name(),
                "allow CREATE, DESCRIBE and DESCRIBE_CONFIGS on it",
                () -> {
                    Optional<MirrorTopics.Prepared> present = topics.inspect();
                    if (present.isEmpty()) {
                        topics.validateCreate();
                        return Finding.ok(
                                "the topic %s does not exist and can be created"
                                        .formatted(topic.name()));
                    }
                    present.get().findings().forEach(finding -> findings.add(finding(finding)));
                    return operations(admin, present.get().partitions());
                });
    }

    private static Finding finding(TopicFinding found) {
        String what =
                "topic %s: %s is %s, wanted %s"
                        .formatted(found.topic(), found.setting(), found.actual(), found.wanted());
        String advice = found.why() + (found.fix().isEmpty() ? "" : "; " + found.fix());
        return found.dangerous() ? Finding.fail(what, advice) : Finding.warn(what, advice);
    }

    private Finding operations(Admin admin, int partitions) throws Exception {
        TopicDescription description =
                get(admin.describeTopics(
                                        List.of(topic.name()),
                                        new DescribeTopicsOptions()
                                                .includeAuthorizedOperations(true))
                                .allTopicNames())
                        .getOrDefault(
                                topic.name(), new TopicDescription(topic.name(), false, List.of()));
        Set<AclOperation> missing = missing(TOPIC_OPERATIONS, description.authorizedOperations());
        return missing.isEmpty()
                ? Finding.ok("the topic %s has %d partitions".formatted(topic.name(), partitions))
                : Finding.fail(
                        "the topic %s does not allow %s".formatted(topic.name(), missing),
                        "allow READ to the nodes, and also WRITE to the connector");
    }

    private Finding transactionalId(Admin admin) throws Exception {
        String id = topic.transactionalId();
        try {
            get(admin.describeTransactions(List.of(id)).all());
            return Finding.ok("the transactional id %s is or was in use".formatted(id));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TransactionalIdNotFoundException) {
                return Finding.ok("the transactional id %s is free".formatted(id));
            }
            throw e;
        }
    }

    private Finding group(Admin admin) throws Exception {
        try {
            Collection<ConsumerGroupDescription> groups =
                    get(admin.describeConsumerGroups(
                                            List.of(group),
                                            new DescribeConsumerGroupsOptions()
                                                    .includeAuthorizedOperations(true))
                                    .all())
                            .values();
            for (ConsumerGroupDescription description : groups) {
                if (!missing(EnumSet.of(AclOperation.READ), description.authorizedOperations())
                        .isEmpty()) {
                    return Finding.fail(
                            "the consumer group %s does not allow READ".formatted(group),
                            "allow READ on it to the nodes");
                }
            }
            int members = groups.stream().mapToInt(found -> found.members().size()).sum();
            return Finding.ok("the consumer group %s has %d members".formatted(group, members));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return Finding.ok("the consumer group %s is free".formatted(group));
            }
            throw e;
        }
    }

    /** A cluster without authorization returns no operations: all are allowed. */
    private static Set<AclOperation> missing(
            Set<AclOperation> needed,
            @org.jspecify.annotations.Nullable Set<AclOperation> allowed) {
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
