package io.tidemark.chaos.process;

import io.tidemark.harness.OwnKafka;
import io.tidemark.local.Ports;
import io.tidemark.local.kafka.KafkaUser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;

/**
 * The brokers' names and commands: a single one as Tidemark's own command runs it, several as
 * {@link ReplicatedBroker}s.
 */
final class Brokers {
    private Brokers() {}

    static List<String> names(int count) {
        return count == 1
                ? List.of("broker")
                : IntStream.rangeClosed(1, count).mapToObj(i -> "broker-" + i).toList();
    }

    /** Their addresses for clients. */
    static String bootstrap(List<String> names, Map<String, Integer> ports) {
        return names.stream()
                .map(name -> name + ":" + ports.get(name))
                .collect(Collectors.joining(","));
    }

    /**
     * The file by which a user logs in; empty for several brokers, which have no logins.
     *
     * @param folder of all processes
     */
    static Optional<Path> login(Path folder, List<String> names, KafkaUser user) {
        return names.size() == 1
                ? Optional.of(
                        OwnKafka.config(folder.toAbsolutePath().resolve(names.getFirst()), user))
                : Optional.empty();
    }

    /**
     * @param commands of each, by its name
     */
    static List<ManagedProcess> layOut(
            Map<String, TidemarkCommand> commands, Map<String, Integer> ports) throws IOException {
        return commands.size() == 1 ? one(commands, ports) : several(commands, ports);
    }

    private static List<ManagedProcess> one(
            Map<String, TidemarkCommand> commands, Map<String, Integer> ports) {
        List<ManagedProcess> brokers = new ArrayList<>();
        commands.forEach((name, command) ->
                brokers.add(
                        new ManagedProcess(
                                command.with("--listen", "127.0.0.1:" + ports.get(name))
                                        .with("--advertise", name + ":" + ports.get(name))
                                        .withData()
                                        .spec("broker"))));
        return brokers;
    }

    private static List<ManagedProcess> several(
            Map<String, TidemarkCommand> commands, Map<String, Integer> ports) throws IOException {
        List<String> voters = new ArrayList<>();
        for (int id = 1; id <= commands.size(); id++) {
            voters.add(id + "@127.0.0.1:" + Ports.pickFree("127.0.0.1"));
        }
        String clusterId = Uuid.randomUuid().toString();
        List<ManagedProcess> brokers = new ArrayList<>();
        commands.forEach((name, command) ->
                brokers.add(
                        new ManagedProcess(
                                command.with("--id", Integer.toString(brokers.size() + 1))
                                        .with("--cluster", clusterId)
                                        .with("--voters", String.join(",", voters))
                                        .with("--advertise", name + ":" + ports.get(name))
                                        .withData()
                                        .spec(ReplicatedBroker.class))));
        return brokers;
    }
}
