package io.tidemark.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The dashboards of {@code deploy/grafana}, filled by a Prometheus. */
final class Dashboards {
    private static final Path FOLDER = Path.of("..", "deploy", "grafana", "dashboards");
    private static final Path PAGE =
            Path.of("src", "test", "resources", "deploy", "dashboard.html");
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final ObjectMapper JSON = new ObjectMapper();

    private Dashboards() {}

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        }
    }

    /** A dashboard, each of whose targets has the series of a range of time as {@code result}. */
    static ObjectNode filled(
            Path file, Prometheus prometheus, Instant from, Instant to, Duration step)
            throws Exception {
        ObjectNode board = (ObjectNode) JSON.readTree(file.toFile());
        for (JsonNode panel : board.path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                ((ObjectNode) target)
                        .set(
                                "result",
                                prometheus.range(
                                        expression(target, Duration.between(from, to)),
                                        from,
                                        to,
                                        step));
            }
        }
        return board;
    }

    /** With the variables as Grafana would set them. */
    private static String expression(JsonNode target, Duration range) {
        return target.path("expr")
                .asText()
                .replace("$instance", ".*")
                .replace("$__rate_interval", "15s")
                .replace("$__range", range.toSeconds() + "s");
    }

    /** The queries of a filled dashboard that have no value at any time. */
    static List<String> empty(ObjectNode board) {
        List<String> empty = new ArrayList<>();
        for (JsonNode panel : board.path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                boolean valued = false;
                for (JsonNode series : target.path("result")) {
                    for (JsonNode point : series.path("values")) {
                        valued |= !point.path(1).asText().equals("NaN");
                    }
                }
                if (!valued) {
                    empty.add(
                            "%s: %s %s"
                                    .formatted(
                                            board.path("title").asText(),
                                            panel.path("title").asText(),
                                            target.path("refId").asText()));
                }
            }
        }
        return empty;
    }

    /** Draws a filled dashboard as a picture, where there is a Chromium. */
    static void draw(ObjectNode board, Path folder, String name) throws Exception {
        if (!Files.isExecutable(CHROMIUM)) {
            return;
        }
        Path page = folder.resolve(name + ".html");
        Files.writeString(
                page,
                Files.readString(PAGE)
                        .replace(
                                "\"BOARD\"",
                                JSON.writeValueAsString(board).replace("<", "\\u003c")));
        int rows = 0;
        for (JsonNode panel : board.path("panels")) {
            rows = Math.max(rows, panel.at("/gridPos/y").asInt() + panel.at("/gridPos/h").asInt());
        }
        Path picture = Files.createDirectories(Path.of("target", "dashboards"));
        Process chromium =
                new ProcessBuilder(
                                CHROMIUM.toString(),
                                "--headless=new",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-dev-shm-usage",
                                "--hide-scrollbars",
                                "--user-data-dir=" + folder.resolve("chromium"),
                                "--window-size=1200," + (60 + 30 * rows),
                                "--screenshot=" + picture.resolve(name + ".png").toAbsolutePath(),
                                page.toUri().toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (!chromium.waitFor(5, TimeUnit.MINUTES)) {
            chromium.destroyForcibly();
            throw new IllegalStateException("Chromium has not drawn " + name);
        }
    }
}
