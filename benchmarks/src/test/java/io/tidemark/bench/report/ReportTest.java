package io.tidemark.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.load.Latency;
import io.tidemark.bench.load.Measurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @TempDir private Path folder;

    private static Measurement measured(String target, int round, long cpuMillis) {
        return new Measurement(
                target,
                "list",
                round,
                "request",
                10,
                2,
                1_000_000,
                round == 3 ? 1 : 0,
                round == 3 ? "too many <requests>" : "",
                cpuMillis,
                5,
                0,
                0,
                new Latency(10, 1_500, 1_600, 2_000, 2_500));
    }

    private static ResultFile result(long... cpuMillis) {
        List<Measurement> measurements = new ArrayList<>();
        for (int i = 0; i < cpuMillis.length; i++) {
            measurements.add(measured("a<b", i + 1, cpuMillis[i]));
        }
        return new ResultFile(
                "2026-01-01T00:00:00Z",
                Map.of("cores", "2"),
                Map.of("list", "LIST of all"),
                measurements);
    }

    @Test
    void showsMedianAndExtremesOfTheRounds() {
        String text = MarkdownReport.of(result(30, 10, 20));
        assertThat(text)
                .contains(
                        "| LIST of all | a<b | request | 2.00 ms (1.00 ms–3.00 ms) | 5.00 | 1.50"
                                + " ms")
                .contains("list, a<b, round 3: 1, the first: too many <requests>");
    }

    @Test
    void whatWasNotMeasuredIsADash() {
        assertThat(MarkdownReport.of(result(0))).contains("| request | – | 5.00 |");
    }

    @Test
    void comparesTheMedians() {
        assertThat(Comparison.of(result(10, 20, 90), result(10)))
                .contains("| LIST of all | a<b | 0.50 (2.00 ms → 1.00 ms) | 1.00 (5.00 → 5.00)");
    }

    @Test
    void aResultSurvivesItsFile() throws IOException {
        Path file = folder.resolve("results.json");
        ResultFile written = result(30, 10);
        written.write(file);
        assertThat(ResultFile.read(file)).isEqualTo(written);
    }

    @Test
    void thePageEscapesNames() {
        assertThat(HtmlReport.of(result(30))).contains("LIST of all, a&lt;b").doesNotContain("a<b");
    }
}
