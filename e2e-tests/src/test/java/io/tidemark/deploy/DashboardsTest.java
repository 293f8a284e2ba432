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
}
