package io.tidemark.standalone.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaCheckIT {
    private static final Set<KafkaRight.Role> BOTH = EnumSet.allOf(KafkaRight.Role.class);

    @TempDir static Path directory;

    private static EmbeddedKafka kafka;

    @BeforeAll
    static void startKafka() throws Exception {
        kafka = EmbeddedKafka.start(KafkaSettings.loopback(directory));
    }

    @AfterAll
    static void stopKafka() {
        kafka.close();
    }

    @Test
    void acceptsAFreshClusterWithoutChangingIt() throws Exception {
        List<Finding> findings = check(TopicSettings.DEFAULT.withName("fresh"));

        assertThat(findings).extracting(Finding::level).containsOnly(Finding.Level.OK);
        assertThat(findings)
                .extracting(Finding::what)
                .anyMatch(what -> what.contains("can be created"))
                .anyMatch(what -> what.contains("1 broker"));
        try (Admin admin = admin()) {
            assertThat(admin.listTopics().names().get(3, TimeUnit.MINUTES)).isEmpty();
        }
    }

    @Test
    void failsForATopicThatCannotBeCreated() {
        TopicSettings threeCopies =
                new TopicSettings("copies", 8, (short) 3, TopicSettings.DEFAULT.history());

        assertThat(check(threeCopies))
                .filteredOn(finding -> finding.level() == Finding.Level.FAIL)
                .singleElement()
                .extracting(Finding::what)
                .asString()
                .contains("copies")
                .contains("replication");
    }

    @Test
    void failsForALossyTopicWithARepairCommand() throws Exception {
        try (Admin admin = admin()) {
            NewTopic topic = new NewTopic("plain", Optional.of(8), Optional.empty());
            admin.createTopics(List.of(topic)).all().get(3, TimeUnit.MINUTES);

            List<Finding> findings = check(TopicSettings.DEFAULT.withName("plain"));

            admin.deleteTopics(List.of("plain")).all().get(3, TimeUnit.MINUTES);
            assertThat(findings)
                    .filteredOn(finding -> finding.level() == Finding.Level.FAIL)
                    .anySatisfy(finding -> {
                        assertThat(finding.what()).contains("cleanup.policy");
                        assertThat(finding.advice()).contains("kafka-configs.sh");
                    });
        }
    }

    @Test
    void reportsAnUnreachableKafkaOnce() {
        KafkaCheck check =
                new KafkaCheck("127.0.0.1:1", Map.of(), TopicSettings.DEFAULT, "tidemark", BOTH);

        assertThat(check.run())
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Finding.Level.FAIL);
                    assertThat(finding.what()).contains("127.0.0.1:1");
                });
    }

    private static List<Finding> check(TopicSettings topic) {
        return new KafkaCheck(kafka.bootstrapServers(), Map.of(), topic, "tidemark", BOTH).run();
    }

    private static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }
}
