package io.tidemark.chaos.process;

import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaFolder;
import io.tidemark.local.kafka.KafkaSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One of three brokers, each a controller too and in a separate process: every record is on two of
 * them before it counts, and another one leads when one is lost.
 */
final class ReplicatedBroker {
    private static final String REPLICATION_FACTOR = "3";
    private static final String IN_SYNC = "2";

    private ReplicatedBroker() {}

    /**
     * {@code --id N --cluster ID --voters ID@HOST:PORT,... --advertise NAME:PORT --data FOLDER}.
     * Listens on loopback, at the port that it advertises.
     */
    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            options.put(arguments[i], arguments[i + 1]);
        }
        String id = options.getOrDefault("--id", "");
        String advertise = options.getOrDefault("--advertise", "");
        String voters = options.getOrDefault("--voters", "");
        int port = Integer.parseInt(advertise, advertise.indexOf(':') + 1, advertise.length(), 10);
        Path folder = Path.of(options.getOrDefault("--data", ""));
        KafkaFolder.format(folder, Integer.parseInt(id), options.getOrDefault("--cluster", ""));
        Map<String, String> overrides =
                Map.ofEntries(
                        Map.entry("node.id", id),
                        Map.entry("controller.quorum.voters", voters),
                        Map.entry(
                                "listeners",
                                "CLIENTS://127.0.0.1:%d,CONTROLLER://%s"
                                        .formatted(port, voter(voters, id))),
                        Map.entry("offsets.topic.replication.factor", REPLICATION_FACTOR),
                        Map.entry("transaction.state.log.replication.factor", REPLICATION_FACTOR),
                        Map.entry("transaction.state.log.min.isr", IN_SYNC),
                        Map.entry(
                                "share.coordinator.state.topic.replication.factor",
                                REPLICATION_FACTOR),
                        Map.entry("share.coordinator.state.topic.min.isr", IN_SYNC),
                        Map.entry("default.replication.factor", REPLICATION_FACTOR),
                        Map.entry("min.insync.replicas", IN_SYNC));
        try (EmbeddedKafka kafka =
                EmbeddedKafka.start(
                        new KafkaSettings(
                                folder,
                                "127.0.0.1",
                                port,
                                advertise,
                                overrides,
                                Optional.empty()))) {
            System.out.println("ready " + kafka.bootstrapServers());
            kafka.awaitTermination();
        }
    }

    private static String voter(String voters, String id) {
        for (String voter : voters.split(",", -1)) {
            if (voter.startsWith(id + "@")) {
                return voter.substring(id.length() + 1);
            }
        }
        throw new IllegalArgumentException("no " + id + " in " + voters);
    }
}
