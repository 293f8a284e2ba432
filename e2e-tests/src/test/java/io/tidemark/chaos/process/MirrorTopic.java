package io.tidemark.chaos.process;

import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.reading.CorruptBatchSkippingConsumer;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The mirror topic at its broker: sets how it is cleaned, and counts what the cleaner removed. Runs
 * in a separate process, which knows the broker by its name as the others do.
 */
final class MirrorTopic implements AutoCloseable {
    private static final String NAME = TopicSettings.DEFAULT.name();
    private static final long SECONDS = 30;

    /** Segments per history: of 5 s each for the shortest useful one. */
    private static final long SEGMENTS = 18;

    private static final Duration POLL = Duration.ofMillis(500);

    private final Map<String, Object> client;
    private final Admin admin;

    private MirrorTopic(String bootstrap, String settings) throws IOException {
        client = new HashMap<>();
        if (!settings.isEmpty()) {
            Properties file = new Properties();
            try (Reader reader = Files.newBufferedReader(Path.of(settings))) {
                file.load(reader);
            }
            file.forEach((name, value) -> client.put((String) name, value));
        }
        client.put("bootstrap.servers", bootstrap);
        admin = Admin.create(client);
    }

    /**
     * Small segments, and a cleaner that never pauses: records older than the history are removed
     * soon, and tombstones a while after.
     */
    private void cleanAlways(Duration history) throws IOException, InterruptedException {
        String retention = Long.toString(history.toMillis() * 2);
        alter(
                new ConfigResource(ConfigResource.Type.TOPIC, NAME),
                Map.of(
                        TopicConfig.SEGMENT_MS_CONFIG,
                        Long.toString(history.toMillis() / SEGMENTS),
                        TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
                        "0.001",
                        TopicConfig.DELETE_RETENTION_MS_CONFIG,
                        retention));
        // Of all brokers.
        alter(
                new ConfigResource(ConfigResource.Type.BROKER, ""),
                Map.of("log.cleaner.backoff.ms", "1000"));
    }

    private void alter(ConfigResource resource, Map<String, String> settings)
            throws IOException, InterruptedException {
        List<AlterConfigOp> changes = new ArrayList<>();
        settings.forEach((name, value) ->
                changes.add(new AlterConfigOp(new ConfigEntry(name, value), OpType.SET)));
        get(admin.incrementalAlterConfigs(Map.of(resource, changes)).all());
    }

    /**
     * {@code BROKER SETTINGS HISTORY-MILLIS} configures the cleaning, {@code BROKER SETTINGS}
     * prints its result in two numbers. SETTINGS is a file for Kafka's clients, or empty.
     */
    public static void main(String[] arguments) throws Exception {
        try (MirrorTopic topic = new MirrorTopic(arguments[0], arguments[1])) {
            if (arguments.length > 2) {
                topic.cleanAlways(Duration.ofMillis(Long.parseLong(arguments[2])));
            } else {
                topic.printStats();
            }
        }
    }

    /** Assigned offsets, for records and ends of transactions, and records still there. */
    private void printStats() throws IOException, InterruptedException {
        int partitions =
                get(admin.describeTopics(List.of(NAME)).allTopicNames()).values().stream()
                        .mapToInt(topic -> topic.partitions().size())
                        .sum();
        long written = 0;
        long left = 0;
        // A fault may have corrupted some of it.
        try (CorruptBatchSkippingConsumer consumer =
                new CorruptBatchSkippingConsumer(client, _ -> {})) {
            for (int i = 0; i < partitions; i++) {
                TopicPartition partition = new TopicPartition(NAME, i);
                consumer.assign(List.of(partition));
                long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
                consumer.seek(partition, 0);
                written += end;
                while (consumer.position(partition) < end) {
                    left += consumer.poll(POLL).count();
                }
            }
        }
        System.out.println(CleanerStats.MARK + written + " " + left);
    }

    private static <T> T get(KafkaFuture<T> future) throws IOException, InterruptedException {
        try {
            return future.get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the broker does not answer", e);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
