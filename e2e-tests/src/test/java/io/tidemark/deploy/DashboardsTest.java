package io.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The dashboards have the form that Grafana reads; {@link ChartProcessesIT} fills them. */
class DashboardsTest {
    @Test
    void dashboardsAreWellFormed() throws Exception {
        TreeSet<String> names = new TreeSet<>();
        for (Path file : Dashboards.files()) {
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
        assertThat(names).hasSize(3);
    }

    /** Other programs in the same Prometheus have metrics of the same names. */
    @Test
    void dashboardsShowTidemarksProcessesOnly() throws Exception {
        for (Path file : Dashboards.files()) {
            JsonNode board = Chart.YAML.readTree(file.toFile());
            JsonNode instance = board.at("/templating/list/1");
            assertThat(instance.path("name").asText()).isEqualTo("instance");
            assertThat(instance.has("allValue")).as("all values of the query").isFalse();
            assertThat(Metrics.named(instance.at("/query/query").asText()))
                    .isNotEmpty()
                    .allMatch(name -> name.startsWith("tidemark_"));
            for (JsonNode panel : board.path("panels")) {
                for (JsonNode target : panel.path("targets")) {
                    String query = target.path("expr").asText();
                    assertThat(query.contains("$instance")).as(query).isTrue();
                }
            }
        }
    }
}
