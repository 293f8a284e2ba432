package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.local.Ports;
import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.standalone.doctor.Finding;
import io.tidemark.standalone.doctor.KafkaCheck;
import io.tidemark.standalone.doctor.KafkaRight;
import io.tidemark.standalone.doctor.KafkaRight.Role;
import io.tidemark.waits.LongTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker with logins and an authorizer: the documented rights suffice, and each is needed. */
@LongTest
class KafkaRightsIT {
    private static final TopicSettings TOPIC = TopicSettings.DEFAULT.withPartitions(2);
    private static final String GROUP = "tidemark";
    private static final String LOGIN =
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\""
                    + " password=\"%s-password\"";

    private final List<AutoCloseable> opened = new ArrayList<>();

    @TempDir Path folder;
    private EmbeddedKafka kafka;
    private Admin admin;

    @BeforeEach
    void startKafka() throws Exception {
        String users = "";
        for (String user : List.of("admin", "connector", "node")) {
            users += " user_%s=\"%s-password\"".formatted(user, user);
        }
        kafka =
                EmbeddedKafka.start(
                        KafkaSettings.loopback(folder.resolve("kafka"))
                                .withOverrides(
                                        Map.of(
                                                "listener.security.protocol.map",
                                                "CLIENTS:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
                                                "sasl.enabled.mechanisms",
                                                "PLAIN",
                                                "sasl.mechanism.inter.broker.protocol",
                                                "PLAIN",
                                                "listener.name.clients.plain.sasl.jaas.config",
                                                LOGIN.formatted("admin", "admin") + users + ";",
                                                "authorizer.class.name",
                                                "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                                                // The broker itself, on its own loopback port.
                                                "super.users",
                                                "User:admin;User:ANONYMOUS")));
        opened.add(kafka);
        admin = Admin.create(withBroker("admin"));
        opened.add(admin);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    @Test
    void theListedRightsSufficeAndEachIsNeeded() throws Exception {
        for (KafkaRight right : KafkaRight.of(TOPIC, GROUP)) {
            for (AclOperation operation : right.operations()) {
                allow(right, operation);
            }
        }
        for (KafkaRight right : KafkaRight.toCreate(TOPIC)) {
            allow(right, AclOperation.CREATE);
        }
        TestEtcd etcd = new TestEtcd(folder.resolve("etcd"));
        opened.add(etcd);
        int port = Ports.pickFree("127.0.0.1");
        opened.add(start("connector", port, "--etcd", etcd.endpoint(), "--partitions", "2"));
        int clients = Ports.pickFree("127.0.0.1");
        TidemarkProcess node =
                start("node", clients, "--standbys", "0", "--data", folder.resolve("n").toString());
        opened.add(node);
        etcd.putConfigMap("default", "mirrored", "x");
        await().ignoreExceptions()
                .until(() ->
                        node.api().get("/api/v1/namespaces/default/configmaps/mirrored").status()
                                == 200);

        theNodeCannotWrite();
        // The first start is over.
        for (KafkaRight right : KafkaRight.toCreate(TOPIC)) {
            remove(right, AclOperation.CREATE);
        }
        await().untilAsserted(() -> assertThat(failures(Role.CONNECTOR)).isEmpty());
        await().untilAsserted(() -> assertThat(failures(Role.NODE)).isEmpty());
        for (KafkaRight right : KafkaRight.of(TOPIC, GROUP)) {
            for (AclOperation operation : right.operations()) {
                remove(right, operation);
                await().untilAsserted(() ->
                        assertThat(failures(right.role()))
                                .as("without %s on %s", operation, right)
                                .anyMatch(finding -> names(finding, right, operation)));
                allow(right, operation);
            }
        }
        await().until(() -> failures(Role.CONNECTOR).isEmpty());
    }

    private static boolean names(Finding finding, KafkaRight right, AclOperation operation) {
        return finding.what().contains(right.name())
                && (finding.what() + finding.advice())
                        .replace("_", "")
                        .toUpperCase(Locale.ROOT)
                        .contains(operation.name().replace("_", ""));
    }

    private void theNodeCannotWrite() {
        Map<String, Object> settings = withBroker("node");
        settings.put("enable.idempotence", false); // Would fail at the producer's id already.
        for (String topic : List.of(TOPIC.name(), TOPIC.deadLetters(), TOPIC.control())) {
            try (KafkaProducer<String, String> producer =
                    new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
                assertThatThrownBy(() ->
                                producer.send(new ProducerRecord<>(topic, "k", "forged"))
                                        .get(3, TimeUnit.MINUTES))
                        .as(topic)
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(TopicAuthorizationException.class);
            }
        }
    }

    /** A separate process, which logs in by the name of its command. */
    private TidemarkProcess start(String command, int port, String... more) throws Exception {
        StringBuilder settings = new StringBuilder();
        login(command).forEach((name, value) -> settings.append(name + "=" + value + "\n"));
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--kafka", kafka.bootstrapServers()));
        arguments.addAll(List.of("--kafka-config", file(command, settings.toString())));
        arguments.addAll(List.of("--peer-secret-file", file("secret", "0123456789abcdef")));
        arguments.addAll(List.of("--listen", "127.0.0.1:" + port));
        arguments.addAll(List.of(more));
        return TidemarkProcess.start(
                port, folder.resolve(command + ".log"), List.of("-Xmx256m"), arguments);
    }

    private String file(String name, String text) throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".properties"), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file.toString();
    }

    private List<Finding> failures(Role role) {
        return new KafkaCheck(
                        kafka.bootstrapServers(),
                        login(role.name().toLowerCase(Locale.ROOT)),
                        TOPIC,
                        GROUP,
                        EnumSet.of(role))
                .run().stream().filter(finding -> finding.level() == Finding.Level.FAIL).toList();
    }

    private static Map<String, Object> login(String user) {
        return Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                LOGIN.formatted(user, user) + ";");
    }

    private Map<String, Object> withBroker(String user) {
        Map<String, Object> settings = new HashMap<>(login(user));
        settings.put("bootstrap.servers", kafka.bootstrapServers());
        return settings;
    }

    private void allow(KafkaRight right, AclOperation operation) throws Exception {
        allow(binding(user(right), right.type(), right.name(), operation));
    }

    private void allow(AclBinding binding) throws Exception {
        admin.createAcls(List.of(binding)).all().get(3, TimeUnit.MINUTES);
    }

    private void remove(KafkaRight right, AclOperation operation) throws Exception {
        remove(binding(user(right), right.type(), right.name(), operation));
    }

    private void remove(AclBinding binding) throws Exception {
        admin.deleteAcls(Set.of(binding.toFilter())).all().get(3, TimeUnit.MINUTES);
    }

    private static String user(KafkaRight right) {
        return right.role().name().toLowerCase(Locale.ROOT);
    }

    private static AclBinding binding(
            String user, ResourceType type, String name, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(type, name, PatternType.LITERAL),
                new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
    }
}
