package io.tidemark.streams;

import io.tidemark.store.layout.IndexSettings;
import io.tidemark.view.PartitionDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A node in a separate process, to be killed. Prints each revision that it has reached. */
final class NodeProcess {
    private static final String SESSION_TIMEOUT = "main.consumer.session.timeout.ms";
    private static final String HEARTBEAT_INTERVAL = "main.consumer.heartbeat.interval.ms";

    private NodeProcess() {}

    static Process start(String bootstrapServers, String topic, Path folder) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NodeProcess.class.getName(),
                        bootstrapServers,
                        topic,
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    static StreamsSettings settings(String bootstrapServers, String topic, Path folder) {
        return settings(bootstrapServers, topic, folder, 0);
    }

    static StreamsSettings settings(
            String bootstrapServers, String topic, Path folder, int standbys) {
        return settings(bootstrapServers, topic, folder, standbys, Map.of());
    }

    /**
     * @param kafka additional Kafka client settings
     */
    static StreamsSettings settings(
            String bootstrapServers,
            String topic,
            Path folder,
            int standbys,
            Map<String, Object> kafka) {
        Map<String, Object> all =
                new HashMap<>(Map.of(SESSION_TIMEOUT, 15_000, HEARTBEAT_INTERVAL, 1_000));
        all.putAll(kafka);
        return new StreamsSettings(
                bootstrapServers,
                topic,
                "app-" + topic,
                folder,
                Duration.ofHours(6),
                1L << 30,
                standbys,
                "this-node:1",
                IndexSettings.DEFAULT,
                16 << 20,
                8 << 20,
                all);
    }

    public static void main(String[] arguments) throws InterruptedException {
        // Its successor waits for the end of its session.
        Map<String, Object> shortSession = Map.of(SESSION_TIMEOUT, 1_000, HEARTBEAT_INTERVAL, 300);
        StreamsNode node =
                new StreamsNode(
                        settings(
                                arguments[0],
                                arguments[1],
                                Path.of(arguments[2]),
                                0,
                                shortSession));
        node.start();
        PartitionDirectory directory = node.directory();
        AllPartitionsReader reading = new AllPartitionsReader(directory);
        CountDownLatch never = new CountDownLatch(1);
        long printed = 0;
        while (!never.await(20, TimeUnit.MILLISECONDS)) {
            if (reading.isAt(printed + 1)) {
                printed = lowestWatermark(directory);
                System.out.println("at " + printed);
            }
        }
    }

    private static long lowestWatermark(PartitionDirectory directory) {
        long lowest = Long.MAX_VALUE;
        for (int i = 0; i < directory.partitions(); i++) {
            lowest = Math.min(lowest, directory.view(i).state().watermark());
        }
        return lowest;
    }
}
