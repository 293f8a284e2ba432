package io.tidemark.bench.report;

import io.tidemark.bench.load.Measurement;
import java.util.List;
import java.util.Map;

/** A result as a Markdown table: medians of the rounds, the extremes in parentheses. */
public final class MarkdownReport {
    private static final List<Figure> SHOWN =
            List.of(
                    Figure.CPU,
                    Figure.RATE,
                    Figure.P50,
                    Figure.P99,
                    Figure.BANDWIDTH,
                    Figure.MEMORY,
                    Figure.HEAP,
                    Figure.OWN_CPU);

    private MarkdownReport() {}

    public static String of(ResultFile result) {
        StringBuilder text = new StringBuilder();
        result.settings()
                .forEach((name, value) ->
                        text.append("- ").append(name).append(": ").append(value).append('\n'));
        text.append("\n| workload | server | unit |");
        SHOWN.forEach(figure -> text.append(' ').append(figure.title()).append(" |"));
        text.append("\n|---|---|---|").append("---:|".repeat(SHOWN.size())).append('\n');
        for (Map.Entry<String, String> workload : result.workloads().entrySet()) {
            for (String target : result.targets()) {
                List<Measurement> rounds = result.of(workload.getKey(), target);
                if (!rounds.isEmpty()) {
                    row(text, workload.getValue(), target, rounds);
                }
            }
        }
        appendFailures(text, result);
        return text.toString();
    }

    private static void row(
            StringBuilder text, String title, String target, List<Measurement> rounds) {
        text.append("| ").append(title).append(" | ").append(target).append(" | ");
        text.append(rounds.getFirst().unit()).append(" |");
        for (Figure figure : SHOWN) {
            text.append(' ').append(figure.text(Spread.of(rounds, figure.value()))).append(" |");
        }
        text.append('\n');
    }

    private static void appendFailures(StringBuilder text, ResultFile result) {
        List<Measurement> failed =
                result.measurements().stream().filter(each -> each.failures() > 0).toList();
        if (!failed.isEmpty()) {
            text.append("\nFailures:\n\n");
        }
        for (Measurement each : failed) {
            text.append("- ")
                    .append(each.workload())
                    .append(", ")
                    .append(each.target())
                    .append(", round ")
                    .append(each.round())
                    .append(": ")
                    .append(each.failures())
                    .append(", the first: ")
                    .append(each.firstFailure())
                    .append('\n');
        }
    }
}
