package io.tidemark.local.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.waits.LongTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker with logins and ACLs, attacked with the credentials of others and with none. */
class KafkaAccessIT {
    private static final AclBinding WRITE = acl(KafkaUser.CONNECTOR, "events", AclOperation.WRITE);
    private static final AclBinding READ = acl(KafkaUser.NODE, "events", AclOperation.READ);

    /** The broker hangs up on these clients, which try again until they give up. */
    private static final Map<String, Object> WITHOUT_LOGIN =
            Map.of(
                    "request.timeout.ms", 5_000,
                    "default.api.timeout.ms", 10_000,
                    "max.block.ms", 10_000);

    @TempDir Path folder;

    private KafkaLogins logins() throws IOException {
        return KafkaLogins.in(folder.resolve("clients"), new KafkaTls.None());
    }

    private EmbeddedKafka start(KafkaLogins logins, AclBinding... rights) throws IOException {
        return EmbeddedKafka.start(
                KafkaSettings.loopback(folder.resolve("kafka"))
                        .withAccess(new KafkaAccess(logins, Set.of(rights))));
    }

    @Test
    void everyUserMayDoWhatItsRightsSay() throws Exception {
        KafkaLogins logins = logins();
        try (EmbeddedKafka kafka = start(logins, WRITE, READ)) {
            create(kafka, logins.clientSettings(KafkaUser.ADMIN));
            send(kafka, logins.clientSettings(KafkaUser.CONNECTOR), "events");
            assertThatThrownBy(() -> send(kafka, logins.clientSettings(KafkaUser.NODE), "events"))
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
            assertThatThrownBy(
                            () -> send(kafka, logins.clientSettings(KafkaUser.CONNECTOR), "other"))
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
            assertThat(acls(kafka, logins)).containsExactlyInAnyOrder(WRITE, READ);
        }
    }

    @Test
    void refusesClientsWithoutAValidLogin() throws Exception {
        KafkaLogins logins = logins();
        try (EmbeddedKafka kafka = start(logins, READ)) {
            Map<String, Object> wrong = new HashMap<>(logins.clientSettings(KafkaUser.ADMIN));
            wrong.put(
                    "sasl.jaas.config",
                    ((String) wrong.get("sasl.jaas.config"))
                            .replaceFirst("password=\".", "password=\"z"));
            assertThatThrownBy(() -> create(kafka, wrong))
                    .hasCauseInstanceOf(SaslAuthenticationException.class);
            Map<String, Object> unknown = new HashMap<>(logins.clientSettings(KafkaUser.ADMIN));
            unknown.put(
                    "sasl.jaas.config",
                    ((String) unknown.get("sasl.jaas.config")).replace("admin", "root"));
            assertThatThrownBy(() -> create(kafka, unknown))
                    .hasCauseInstanceOf(SaslAuthenticationException.class);
            assertThatThrownBy(() -> create(kafka, WITHOUT_LOGIN))
                    .isInstanceOf(ExecutionException.class);
        }
    }

    /**
     * Kafka forwards changes to its controller, which trusts every client that logs in as the
     * broker.
     */
    @Test
    void theControllerAsksForALoginToo() throws Exception {
        KafkaLogins logins = logins();
        Map<String, Object> node = logins.clientSettings(KafkaUser.NODE);
        int[] ports = new int[1];
        try (EmbeddedKafka kafka = start(logins, READ)) {
            ports[0] = kafka.controllerPort();
            for (Map<String, Object> settings : List.of(WITHOUT_LOGIN, node)) {
                Map<String, Object> attack = new HashMap<>(settings);
                attack.putAll(WITHOUT_LOGIN);
                attack.put("bootstrap.controllers", "127.0.0.1:" + ports[0]);
                try (Admin admin = Admin.create(attack)) {
                    assertThatThrownBy(() ->
                                    admin.createAcls(
                                                    List.of(
                                                            acl(
                                                                    KafkaUser.NODE,
                                                                    "events",
                                                                    AclOperation.ALL)))
                                            .all()
                                            .get(3, TimeUnit.MINUTES))
                            .isInstanceOf(ExecutionException.class);
                }
            }
            assertThat(acls(kafka, logins)).containsExactly(READ);
        }
    }

    @Test
    @LongTest
    void anOlderFolderIsUpgradedAndKeepsItsTopics() throws Exception {
        KafkaSettings open = KafkaSettings.loopback(folder.resolve("kafka"));
        try (EmbeddedKafka kafka = EmbeddedKafka.start(open)) {
            create(kafka, Map.of());
            send(kafka, Map.of(), "events");
        }
        KafkaLogins logins = logins();
        try (EmbeddedKafka kafka = start(logins, WRITE)) {
            assertThatThrownBy(() -> send(kafka, WITHOUT_LOGIN, "events"))
                    .isInstanceOf(ExecutionException.class);
            send(kafka, logins.clientSettings(KafkaUser.CONNECTOR), "events");
        }
    }

    @Test
    void aRestartSetsTheRightsExactlyAndADeletedFileChangesThePassword() throws Exception {
        KafkaLogins old = logins();
        try (EmbeddedKafka kafka =
                start(old, WRITE, acl(KafkaUser.NODE, "gone", AclOperation.READ))) {
            create(kafka, old.clientSettings(KafkaUser.ADMIN));
        }
        Files.delete(KafkaLogins.file(folder.resolve("clients"), KafkaUser.CONNECTOR));
        KafkaLogins logins = logins();
        try (EmbeddedKafka kafka = start(logins, WRITE, READ)) {
            assertThat(acls(kafka, logins)).containsExactlyInAnyOrder(WRITE, READ);
            assertThatThrownBy(() -> send(kafka, old.clientSettings(KafkaUser.CONNECTOR), "events"))
                    .isInstanceOf(ExecutionException.class);
            send(kafka, logins.clientSettings(KafkaUser.CONNECTOR), "events");
        }
    }

    private static AclBinding acl(KafkaUser user, String topic, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry(user.principal(), "*", operation, AclPermissionType.ALLOW));
    }

    private static Collection<AclBinding> acls(EmbeddedKafka kafka, KafkaLogins logins)
            throws Exception {
        try (Admin admin = Admin.create(clients(kafka, logins.clientSettings(KafkaUser.ADMIN)))) {
            return admin.describeAcls(AclBindingFilter.ANY).values().get(3, TimeUnit.MINUTES);
        }
    }

    private static void create(EmbeddedKafka kafka, Map<String, Object> login) throws Exception {
        try (Admin admin = Admin.create(clients(kafka, login))) {
            admin.createTopics(List.of(new NewTopic("events", 1, (short) 1)))
                    .all()
                    .get(3, TimeUnit.MINUTES);
        }
    }

    private static void send(EmbeddedKafka kafka, Map<String, Object> login, String topic)
            throws Exception {
        Map<String, Object> settings = clients(kafka, login);
        settings.put("enable.idempotence", false);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, "k", "v")).get(3, TimeUnit.MINUTES);
        }
    }

    private static Map<String, Object> clients(EmbeddedKafka kafka, Map<String, Object> login) {
        Map<String, Object> settings = new HashMap<>(login);
        settings.put("bootstrap.servers", kafka.bootstrapServers());
        return settings;
    }
}
