package io.tidemark.standalone.part;

import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.local.kafka.KafkaAccess;
import io.tidemark.local.kafka.KafkaLogins;
import io.tidemark.local.kafka.KafkaTls;
import io.tidemark.local.kafka.KafkaUser;
import io.tidemark.standalone.doctor.KafkaRight;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclBinding;

/** Who may do what at a broker that {@code up} or {@code broker} runs: the documented rights. */
public final class OwnBroker {
    private OwnBroker() {}

    /** The folder with the files for clients. */
    public static Path clients(Path data) {
        return data.resolve("kafka-clients");
    }

    /**
     * Reads or makes the users' passwords.
     *
     * @param data the data folder
     * @throws IOException if they cannot be read or written
     */
    public static KafkaAccess access(Path data, KafkaTls tls, Set<AclBinding> rights)
            throws IOException {
        return new KafkaAccess(KafkaLogins.in(clients(data), tls), rights);
    }

    /**
     * The rights of connectors and nodes.
     *
     * @param topics mirror topics
     * @param groups consumer groups of nodes
     * @throws IllegalArgumentException if a topic's name is invalid
     */
    public static Set<AclBinding> rights(Collection<String> topics, Collection<String> groups) {
        Set<AclBinding> rights = new HashSet<>();
        for (String topic : topics) {
            TopicSettings settings = TopicSettings.DEFAULT.withName(topic);
            for (String group : groups) {
                List<KafkaRight> needed =
                        Stream.concat(
                                        KafkaRight.of(settings, group).stream(),
                                        KafkaRight.toCreate(settings).stream())
                                .toList();
                for (KafkaRight right : needed) {
                    rights.addAll(right.acls(user(right.role()).principal()));
                }
            }
        }
        return rights;
    }

    private static KafkaUser user(KafkaRight.Role role) {
        return switch (role) {
            case CONNECTOR -> KafkaUser.CONNECTOR;
            case NODE -> KafkaUser.NODE;
        };
    }
}
