package io.tidemark.chaos.process;

import io.tidemark.harness.TidemarkJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What the cleaner left of the mirror topic.
 *
 * @param written offsets that were assigned, for records and for ends of transactions
 * @param left records that are still there
 */
public record CleanerStats(long written, long left) {
    static final String MARK = "remains ";

    /**
     * @param settings files with further settings of Kafka's clients: none, or one
     */
    static List<String> tool(String hosts, String broker, Optional<Path> settings) {
        return TidemarkJvm.program(
                MirrorTopic.class,
                List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", hosts),
                List.of(broker, settings.map(Path::toString).orElse("")));
    }

    static void clean(List<String> tool, Duration history)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(tool);
        command.add(Long.toString(history.toMillis()));
        String _ = run(command);
    }

    static CleanerStats read(List<String> tool) throws IOException, InterruptedException {
        String said = run(tool);
        String[] numbers =
                said.substring(said.lastIndexOf(MARK) + MARK.length()).strip().split(" ", -1);
        return new CleanerStats(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IOException("the topic cannot be read or configured: " + said);
            }
            return said;
        } finally {
            process.destroyForcibly();
        }
    }
}
