package io.tidemark.local.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.local.PortInUseException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Exit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaIT {
    @TempDir Path directory;

    @Test
    void keepsTransactionsAcrossARestart() throws Exception {
        KafkaSettings settings = KafkaSettings.loopback(directory.resolve("kafka"));
        try (EmbeddedKafka kafka = EmbeddedKafka.start(settings)) {
            createTopic(kafka);
            sendInTransaction(kafka, "first");
        }
        try (EmbeddedKafka kafka = EmbeddedKafka.start(settings)) {
            sendInTransaction(kafka, "second");

            assertThat(committedValues(kafka, 2)).containsExactly("first", "second");
        }
    }

    @Test
    void acceptsMessagesOfEightMebibytes() throws Exception {
        try (EmbeddedKafka kafka =
                EmbeddedKafka.start(KafkaSettings.loopback(directory.resolve("kafka")))) {
            createTopic(kafka);

            sendInTransaction(kafka, "x".repeat(8 * 1024 * 1024));

            assertThat(committedValues(kafka, 1)).hasSize(1);
        }
    }

    @Test
    void reportsAPortInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            KafkaSettings settings =
                    KafkaSettings.loopback(directory).withPort(taken.getLocalPort());

            assertThatThrownBy(() -> EmbeddedKafka.start(settings).close())
                    .isInstanceOf(PortInUseException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void refusesAnInvalidOverride() {
        KafkaSettings settings =
                KafkaSettings.loopback(directory).withOverrides(Map.of("num.io.threads", "none"));

        assertThatThrownBy(() -> EmbeddedKafka.start(settings).close())
                .hasMessageContaining("num.io.threads");
    }

    @Test
    void reportsFatalErrorsInsteadOfExiting() {
        List<String> reasons = new java.util.ArrayList<>();
        EmbeddedKafka.onFatalError(reasons::add);
        try {
            Exit.halt(3, "no disk");

            assertThat(reasons).singleElement().asString().contains("no disk");
        } finally {
            Exit.resetExitProcedure();
            Exit.resetHaltProcedure();
        }
    }

    private static void createTopic(EmbeddedKafka kafka) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            NewTopic topic =
                    new NewTopic("events", Optional.of(1), Optional.empty())
                            .configs(Map.of("max.message.bytes", Integer.toString(9 << 20)));
            admin.createTopics(List.of(topic)).all().get(1, TimeUnit.MINUTES);
        }
    }

    private static void sendInTransaction(EmbeddedKafka kafka, String value) throws Exception {
        Map<String, Object> settings =
                Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "transactional.id",
                        "writer",
                        "max.request.size",
                        9 << 20);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("events", "key", value)).get(1, TimeUnit.MINUTES);
            producer.commitTransaction();
        }
    }

    private static List<String> committedValues(EmbeddedKafka kafka, int count) {
        Map<String, Object> settings =
                Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "isolation.level",
                        "read_committed",
                        "auto.offset.reset",
                        "earliest");
        List<String> values = new java.util.ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(new TopicPartition("events", 0)));
            for (int polls = 0; polls < 40 && values.size() < count; polls++) {
                consumer.poll(Duration.ofMillis(500)).forEach(r -> values.add(r.value()));
            }
        }
        return values;
    }
}
