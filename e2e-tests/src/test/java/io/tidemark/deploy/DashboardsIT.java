package io.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.Security;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.local.Ports;
import io.tidemark.record.Bytes;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every panel of every dashboard has data, from a real Prometheus that scrapes a real node. */
class DashboardsIT {
    private static final Path DASHBOARDS = Path.of("..", "deploy", "grafana", "dashboards");
    private static final Path PROMETHEUS = Path.of("/usr/bin/prometheus");

    @TempDir private Path folder;

    @Test
    void noPanelIsEmpty() throws Exception {
        assumeTrue(Files.isExecutable(PROMETHEUS), "needs Debian's package prometheus");
        assumeTrue(Security.ofRun() == Security.PLAIN, "Prometheus has no certificate");
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"));
                TidemarkProcess tidemark =
                        TidemarkProcess.up(folder.resolve("data"), etcd.endpoint())) {
            etcd.client().put(Bytes.utf8("/registry/pods/a/broken"), Bytes.utf8("k8s\0no object"));
            Process prometheus = null;
            try {
                int port = Ports.pickFree("127.0.0.1");
                prometheus = prometheus(port, tidemark.api());
                Api queries = new Api("http://127.0.0.1:" + port);
                TreeMap<String, String> panels = panels();
                assertThat(panels).hasSizeGreaterThan(30);
                Awaitility.await()
                        .atMost(Duration.ofMinutes(2))
                        .pollDelay(Duration.ofSeconds(5))
                        .pollInterval(Duration.ofSeconds(2))
                        .ignoreExceptions()
                        .untilAsserted(() -> {
                            traffic(etcd, tidemark.api());
                            assertThat(empty(queries, panels)).isEmpty();
                        });
            } finally {
                if (prometheus != null) {
                    prometheus.destroy();
                    prometheus.waitFor();
                }
            }
        }
    }

    /** Requests of all kinds that the panels show, also such that fail. */
    private static void traffic(TestEtcd etcd, Api api) throws Exception {
        etcd.putConfigMap("a", "b", "v" + System.nanoTime());
        api.get("/api/v1/configmaps");
        api.get("/api/v1/configmaps/nothing");
        api.get("/api/v1/namespaces/a/configmaps?fieldSelector=no.such%3Dfield");
        api.get(
                "/api/v1/configmaps?watch=true&resourceVersion=0&sendInitialEvents=true"
                        + "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
                        + "&timeoutSeconds=1");
    }

    private Process prometheus(int port, Api api) throws Exception {
        String connector =
                URI.create(api.get("/cluster").json().at("/connector/url").asText()).getAuthority();
        Path config = folder.resolve("prometheus.yml");
        Files.writeString(
                config,
                """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: [%s]
                scrape_configs:
                - job_name: tidemark
                  static_configs: [{targets: ["%s", "%s"]}]
                """
                        .formatted(
                                Chart.FOLDER.resolve("files/alerts.yaml").toAbsolutePath(),
                                URI.create(api.url()).getAuthority(),
                                connector));
        return new ProcessBuilder(
                        PROMETHEUS.toString(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start();
    }

    /** Queries by dashboard, panel and letter, with the variables as Grafana would set them. */
    private static TreeMap<String, String> panels() throws Exception {
        TreeMap<String, String> queries = new TreeMap<>();
        for (Path file : files()) {
            for (JsonNode panel : Chart.YAML.readTree(file.toFile()).path("panels")) {
                for (JsonNode target : panel.path("targets")) {
                    queries.put(
                            "%s: %s %s"
                                    .formatted(
                                            file.getFileName(),
                                            panel.path("title").asText(),
                                            target.path("refId").asText()),
                            target.path("expr")
                                    .asText()
                                    .replace("$instance", ".*")
                                    .replace("$__rate_interval", "30s")
                                    .replace("$__range", "1m"));
                }
            }
        }
        return queries;
    }

    private static List<Path> files() throws Exception {
        try (Stream<Path> files = Files.list(DASHBOARDS)) {
            return files.sorted().toList();
        }
    }

    private static List<String> empty(Api prometheus, TreeMap<String, String> panels)
            throws Exception {
        List<String> empty = new ArrayList<>();
        for (var panel : panels.entrySet()) {
            String query = URLEncoder.encode(panel.getValue(), StandardCharsets.UTF_8);
            Api.Answer answer = prometheus.get("/api/v1/query?query=" + query);
            JsonNode result = answer.json().at("/data/result");
            boolean valued = false;
            for (JsonNode each : result) {
                valued |= !each.at("/value/1").asText().equals("NaN");
            }
            if (!valued) {
                empty.add(panel.getKey() + ": " + answer.body());
            }
        }
        return empty;
    }

    @Test
    void dashboardsAreWellFormed() throws Exception {
        TreeSet<String> names = new TreeSet<>();
        for (Path file : files()) {
            JsonNode board = Chart.YAML.readTree(file.toFile());
            assertThat(names.add(board.path("uid").asText())).isTrue();
            TreeSet<Integer> ids = new TreeSet<>();
            for (JsonNode panel : board.path("panels")) {
                assertThat(ids.add(panel.path("id").asInt())).isTrue();
                assertThat(panel.path("title").asText()).isNotEmpty();
                assertThat(panel.at("/datasource/uid").asText()).isEqualTo("${datasource}");
                JsonNode at = panel.path("gridPos");
                assertThat(at.path("x").asInt() + at.path("w").asInt()).isLessThanOrEqualTo(24);
            }
        }
    }
}
