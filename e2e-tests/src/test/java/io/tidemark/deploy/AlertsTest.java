package io.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each alert fires when it must, is silent when it must, and says what to do. */
class AlertsTest {
    private static final Path ALERTS = Chart.FOLDER.resolve("files").resolve("alerts.yaml");
    private static final Path DOCS = Path.of("..", "docs");
    private static final Path PROMTOOL = Path.of("/usr/bin/promtool");

    @TempDir private Path folder;

    static List<JsonNode> rules() throws IOException {
        List<JsonNode> rules = new ArrayList<>();
        Chart.YAML
                .readTree(ALERTS.toFile())
                .path("groups")
                .forEach(group -> group.path("rules").forEach(rules::add));
        return rules;
    }

    private static Path cases() {
        return Path.of("src", "test", "resources", "deploy", "alerts-test.yaml");
    }

    @Test
    void eachAlertFiresAndStaysSilent() throws Exception {
        assumeTrue(Files.isExecutable(PROMTOOL), "needs promtool, of Debian's package prometheus");
        Files.copy(ALERTS, folder.resolve("alerts.yaml"));
        Files.copy(cases(), folder.resolve("alerts-test.yaml"));
        promtool("check", "rules", "alerts.yaml");
        promtool("test", "rules", "alerts-test.yaml");
    }

    private void promtool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(PROMTOOL.toString()));
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    @Test
    void eachAlertHasCasesOfBothKinds() throws IOException {
        TreeMap<String, TreeSet<Boolean>> tested = new TreeMap<>();
        for (JsonNode test : Chart.YAML.readTree(cases().toFile()).path("tests")) {
            for (JsonNode each : test.path("alert_rule_test")) {
                tested.computeIfAbsent(each.path("alertname").asText(), _ -> new TreeSet<>())
                        .add(each.path("exp_alerts").size() > 0);
            }
        }
        for (JsonNode rule : rules()) {
            assertThat(tested.get(rule.path("alert").asText()))
                    .as("silent and firing cases of " + rule.path("alert"))
                    .isEqualTo(Set.of(false, true));
        }
    }

    @Test
    void eachAlertSaysHowBadItIsAndWhatToDo() throws IOException {
        String runbook = Files.readString(DOCS.resolve("runbook.md"));
        String reference = Files.readString(DOCS.resolve("metrics.md"));
        TreeSet<String> names = new TreeSet<>();
        for (JsonNode rule : rules()) {
            String name = rule.path("alert").asText();
            assertThat(names.add(name)).as("one rule of " + name).isTrue();
            assertThat(rule.at("/labels/severity").asText()).isIn("critical", "warning");
            assertThat(rule.at("/annotations/summary").asText()).isNotEmpty();
            assertThat(rule.at("/annotations/description").asText()).isNotEmpty();
            assertThat(rule.at("/annotations/runbook_url").asText())
                    .isEqualTo("docs/runbook.md#" + name.toLowerCase(Locale.ROOT));
            assertThat(runbook).contains("\n## " + name + "\n");
            for (String metric : Metrics.named(rule.path("expr").asText())) {
                assertThat(reference).as(name).contains("`" + Metrics.base(metric) + "`");
            }
        }
        for (String line : runbook.split("\n")) {
            if (line.startsWith("## Tidemark")) {
                assertThat(names).as("rules").contains(line.substring(3));
            }
        }
    }
}
