package io.tidemark.standalone.doctor;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import io.tidemark.connector.topic.TopicSettings;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * What a process must be allowed on Kafka. Each operation includes DESCRIBE. A connector also needs
 * CREATE on its topics at its first start, or topics that were created for it.
 */
public record KafkaRight(Role role, ResourceType type, String name, Set<AclOperation> operations) {
    /** Who needs it. */
    public enum Role {
        CONNECTOR,
        NODE
    }

    /** All that are needed for a mirror topic and the consumer group of its nodes. */
    public static List<KafkaRight> of(TopicSettings topic, String group) {
        return List.of(
                new KafkaRight(
                        Role.CONNECTOR,
                        ResourceType.TOPIC,
                        topic.name(),
                        EnumSet.of(READ, WRITE, DESCRIBE_CONFIGS)),
                new KafkaRight(
                        Role.CONNECTOR,
                        ResourceType.TOPIC,
                        topic.deadLetters(),
                        EnumSet.of(READ, WRITE, DESCRIBE_CONFIGS)),
                new KafkaRight(
                        Role.CONNECTOR, ResourceType.TOPIC, topic.control(), EnumSet.of(READ)),
                new KafkaRight(
                        Role.CONNECTOR, ResourceType.GROUP, topic.control(), EnumSet.of(READ)),
                new KafkaRight(
                        Role.CONNECTOR,
                        ResourceType.TRANSACTIONAL_ID,
                        topic.transactionalId(),
                        EnumSet.of(WRITE)),
                new KafkaRight(
                        Role.NODE,
                        ResourceType.TOPIC,
                        topic.name(),
                        EnumSet.of(READ, DESCRIBE_CONFIGS)),
                new KafkaRight(Role.NODE, ResourceType.GROUP, group, EnumSet.of(READ)));
    }

    /** Besides, at a connector's first start, unless its topics were created for it. */
    public static List<KafkaRight> toCreate(TopicSettings topic) {
        return Stream.of(topic.name(), topic.deadLetters(), topic.control())
                .map(name ->
                        new KafkaRight(
                                Role.CONNECTOR, ResourceType.TOPIC, name, EnumSet.of(CREATE)))
                .toList();
    }

    /**
     * The ACLs that grant it.
     *
     * @param principal such as {@code User:node}
     */
    public List<AclBinding> acls(String principal) {
        return operations.stream()
                .sorted()
                .map(operation ->
                        new AclBinding(
                                new ResourcePattern(type, name, PatternType.LITERAL),
                                new AccessControlEntry(
                                        principal, "*", operation, AclPermissionType.ALLOW)))
                .toList();
    }

    /** Such as {@code the topic tidemark}. */
    String subject() {
        String kind =
                switch (type) {
                    case TOPIC -> "topic";
                    case GROUP -> "consumer group";
                    default -> "transactional id";
                };
        return "the %s %s".formatted(kind, name);
    }

    /** How to give what is missing. */
    String advice(Set<AclOperation> missing) {
        return "allow %s on it to the %s's user: kafka-acls.sh --add --allow-principal User:NAME %s %s %s"
                .formatted(
                        names(missing, " and "),
                        role.name().toLowerCase(Locale.ROOT),
                        missing.stream()
                                .map(each -> "--operation " + camel(each))
                                .sorted()
                                .collect(Collectors.joining(" ")),
                        switch (type) {
                            case TOPIC -> "--topic";
                            case GROUP -> "--group";
                            default -> "--transactional-id";
                        },
                        name);
    }

    static String names(Set<AclOperation> operations, String separator) {
        return operations.stream().map(Enum::name).sorted().collect(Collectors.joining(separator));
    }

    /** As in kafka-acls.sh: DescribeConfigs. */
    private static String camel(AclOperation operation) {
        StringBuilder text = new StringBuilder();
        for (String word : operation.name().split("_")) {
            text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return text.toString();
    }
}
