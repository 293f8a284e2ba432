package io.tidemark.standalone.options;

import io.tidemark.address.HostPort;
import io.tidemark.client.UsageException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** The Kafka to connect to: bootstrap servers and client settings. */
public final class KafkaTarget {
    @Option(
            names = "--kafka",
            paramLabel = "HOST:PORT",
            description = "Kafka's bootstrap servers, separated by commas.")
    private String bootstrapServers = "";

    @Option(
            names = "--kafka-config",
            paramLabel = "FILE",
            description = {
                "Properties file with any settings of Kafka's clients, such as security.protocol,",
                "sasl.mechanism, sasl.jaas.config, ssl.truststore.location. If it holds a password,"
                        + " only its",
                "owner may read it (mode 0600)."
            })
    private String configFile = "";

    /** Whether {@code --kafka} is given; without it {@code up} runs its own broker. */
    public boolean isGiven() {
        return !bootstrapServers.isEmpty();
    }

    /**
     * HOST:PORT, separated by commas.
     *
     * @throws UsageException if {@code --kafka} is missing or malformed
     */
    public String bootstrapServers() {
        if (!isGiven()) {
            throw new UsageException("needs --kafka HOST:PORT, such as --kafka 127.0.0.1:9092");
        }
        Arrays.stream(bootstrapServers.split(",", -1)).forEach(KafkaTarget::requireServer);
        return bootstrapServers;
    }

    private static void requireServer(String server) {
        try {
            HostPort.parse(server);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--kafka: " + e.getMessage());
        }
    }

    /**
     * @throws UsageException if {@code --kafka-config} is given without {@code --kafka}
     */
    public void requireNoneWithoutKafka() {
        if (!isGiven() && !configFile.isEmpty()) {
            throw new UsageException("--kafka-config needs --kafka HOST:PORT");
        }
    }

    /**
     * Settings for all of Kafka's clients.
     *
     * @throws UsageException if the file cannot be read, or holds a secret and others can read it
     */
    public Map<String, Object> clientSettings() {
        Map<String, Object> settings = new TreeMap<>();
        if (!configFile.isEmpty()) {
            SettingSources.read(configFile, KafkaTarget::isSecret)
                    .forEach((name, value) -> settings.put((String) name, value));
        }
        return settings;
    }

    private static boolean isSecret(String setting) {
        return setting.endsWith("password")
                || setting.endsWith("secret")
                || setting.endsWith("passphrase")
                || setting.endsWith("sasl.jaas.config")
                || setting.endsWith("ssl.keystore.key");
    }
}
