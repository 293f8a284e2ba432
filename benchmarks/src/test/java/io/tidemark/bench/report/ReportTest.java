package io.tidemark.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.load.Latency;
import io.tidemark.bench.load.Measurement;
import io.tidemark.bench.load.SendReference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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

    /** The same beside a row of {@link SendReference}. */
    private static ResultFile withSend(ResultFile result, long cpuMillis) {
        List<Measurement> measurements = new ArrayList<>();
        measurements.add(
                new Measurement(
                        SendReference.MACHINE,
                        SendReference.WORKLOAD,
                        1,
                        "100 MB",
                        20,
                        1,
                        2_000_000_000,
                        0,
                        "",
                        cpuMillis,
                        0,
                        0,
                        0,
                        Latency.NONE));
        measurements.addAll(result.measurements());
        Map<String, String> workloads = new LinkedHashMap<>();
        workloads.put(SendReference.WORKLOAD, "only sends");
        workloads.putAll(result.workloads());
        return new ResultFile(result.began(), result.settings(), workloads, measurements);
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

    /** The second machine takes twice the CPU time to send 100 MB. */
    @Test
    void correctsTheRatioOfCpuTimesByTheMachinesSpeed() {
        String text = Comparison.of(withSend(result(10), 300), withSend(result(30), 600));

        assertThat(text)
                .startsWith(
                        "| workload | server | server CPU per unit | CPU, by the machine's speed |")
                .contains(
                        "| only sends | machine | 2.00 (15.00 ms → 30.00 ms) | 1.00 |",
                        "| LIST of all | a<b | 3.00 (1.00 ms → 3.00 ms) | 1.50 | 1.00 (5.00 →"
                                + " 5.00)");
    }

    @Test
    void doesNotCorrectWhenOneResultHasNoReference() {
        assertThat(Comparison.of(result(10), withSend(result(30), 600)))
                .contains("| LIST of all | a<b | 3.00 (1.00 ms → 3.00 ms) | 1.00 (5.00 → 5.00)")
                .doesNotContain("machine");
    }

    @Test
    void namesWhatTakesMoreCpuThanBeforeByTheMachinesSpeed() {
        ResultFile before = withSend(result(10), 300);

        assertThat(Comparison.worse(before, withSend(result(31), 600)))
                .containsExactly("LIST of all, a<b (1.55)");
        assertThat(Comparison.of(before, withSend(result(31), 600)))
                .endsWith(
                        "\nCPU, by the machine's speed, above 1.5 times the first: LIST of all, a<b"
                                + " (1.55)\n");
        assertThat(Comparison.of(before, withSend(result(30), 600)))
                .endsWith("\nCPU, by the machine's speed, above 1.5 times the first: none\n");
        assertThat(Comparison.of(result(10), result(31)))
                .endsWith("\nCPU above 1.5 times the first: LIST of all, a<b (3.10)\n");
    }

    @Test
    void whatWasNotMeasuredDidNotGetWorse() {
        assertThat(Comparison.worse(result(0), result(30))).isEmpty();
        assertThat(Comparison.worse(result(30), result(0))).isEmpty();
    }

    /** As versions without {@code send} wrote it. */
    @Test
    void readsAResultWithoutAReference() throws IOException {
        Path file = folder.resolve("results.json");
        Files.writeString(
                file,
                """
                {"began": "2026-01-01T00:00:00Z",
                 "settings": {"cores": "2"},
                 "workloads": {"list": "LIST of all"},
                 "measurements": [{"target": "a<b", "workload": "list", "round": 1,
                    "unit": "request", "units": 10, "seconds": 2.0, "bytes": 1000000,
                    "failures": 0, "firstFailure": "", "serverCpuMillis": 10, "ownCpuMillis": 5,
                    "serverMemoryBytes": 0, "serverHeapBytes": 0,
                    "latency": {"samples": 10, "p50": 1500, "p90": 1600, "p99": 2000, "max": 2500}
                 }]}
                """);

        assertThat(ResultFile.read(file)).isEqualTo(result(10));
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
