package io.tidemark.harness;

import io.tidemark.local.kafka.KafkaLogins;
import io.tidemark.local.kafka.KafkaUser;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Logs in to the broker that {@code up} or {@code broker} runs. */
public final class OwnKafka {
    private OwnKafka() {}

    /**
     * The file for {@code --kafka-config}, which exists once that broker is ready.
     *
     * @param data the data folder of {@code up} or {@code broker}
     */
    public static Path config(Path data, KafkaUser user) {
        return KafkaLogins.file(data.resolve("kafka-clients"), user);
    }

    /** Settings of Kafka's clients. */
    public static Map<String, Object> settings(Path data, KafkaUser user, String bootstrap)
            throws IOException {
        Properties properties = new Properties();
        try (Reader file = Files.newBufferedReader(config(data, user))) {
            properties.load(file);
        }
        Map<String, Object> settings = new TreeMap<>();
        properties.forEach((name, value) -> settings.put((String) name, value));
        settings.put("bootstrap.servers", bootstrap);
        return settings;
    }
}
