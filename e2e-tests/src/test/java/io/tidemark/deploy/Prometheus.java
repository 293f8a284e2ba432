package io.tidemark.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import io.tidemark.local.Ports;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** Debian's Prometheus, which scrapes every second and evaluates the alerts of the chart. */
final class Prometheus implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/bin/prometheus");

    private final Process process;
    private final Api queries;

    /**
     * Starts it; queries fail until it is ready.
     *
     * @param scrapes the list {@code scrape_configs} as YAML, from the first column on
     */
    Prometheus(Path folder, String scrapes) throws IOException {
        int port = Ports.pickFree("127.0.0.1");
        Path config = Files.createDirectories(folder).resolve("prometheus.yml");
        Files.writeString(
                config,
                """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: [%s]
                scrape_configs:
                %s\
                """
                        .formatted(
                                Chart.FOLDER.resolve("files/alerts.yaml").toAbsolutePath(),
                                scrapes));
        process =
                new ProcessBuilder(
                                PROGRAM.toString(),
                                "--config.file=" + config,
                                "--storage.tsdb.path=" + folder.resolve("tsdb"),
                                "--web.listen-address=127.0.0.1:" + port)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("prometheus.log").toFile())
                        .start();
        queries = new Api("http://127.0.0.1:" + port);
    }

    static boolean isInstalled() {
        return Files.isExecutable(PROGRAM);
    }

    /** The series of an expression now. */
    JsonNode query(String expression) throws Exception {
        return result("/api/v1/query?query=" + encoded(expression));
    }

    /** The series of an expression in a range of time. */
    JsonNode range(String expression, Instant from, Instant to, Duration step) throws Exception {
        return result(
                "/api/v1/query_range?query=%s&start=%d&end=%d&step=%d"
                        .formatted(
                                encoded(expression),
                                from.getEpochSecond(),
                                to.getEpochSecond(),
                                step.toSeconds()));
    }

    private JsonNode result(String path) throws Exception {
        JsonNode answer = queries.get(path).json();
        if (!answer.path("status").asText().equals("success")) {
            throw new IllegalStateException(path + ": " + answer);
        }
        return answer.at("/data/result");
    }

    private static String encoded(String expression) {
        return URLEncoder.encode(expression, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        process.waitFor();
    }
}
