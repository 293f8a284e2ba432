package io.tidemark.bench.report;

import io.tidemark.bench.load.Measurement;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Ratios of the medians of two results, for the workloads and servers that both have. Below 1 the
 * second is lower.
 */
public final class Comparison {
    private static final List<Figure> SHOWN =
            List.of(Figure.CPU, Figure.RATE, Figure.P50, Figure.P99, Figure.MEMORY);

    private Comparison() {}

    /** A Markdown table. */
    public static String of(ResultFile before, ResultFile after) {
        StringBuilder text = new StringBuilder("| workload | server |");
        SHOWN.forEach(figure -> text.append(' ').append(figure.title()).append(" |"));
        text.append("\n|---|---|").append("---:|".repeat(SHOWN.size())).append('\n');
        for (Map.Entry<String, String> workload : after.workloads().entrySet()) {
            for (String target : after.targets()) {
                List<Measurement> first = before.of(workload.getKey(), target);
                List<Measurement> second = after.of(workload.getKey(), target);
                if (!first.isEmpty() && !second.isEmpty()) {
                    text.append("| ").append(workload.getValue()).append(" | ").append(target);
                    text.append(" |");
                    SHOWN.forEach(figure ->
                            text.append(' ').append(ratio(figure, first, second)).append(" |"));
                    text.append('\n');
                }
            }
        }
        return text.toString();
    }

    private static String ratio(Figure figure, List<Measurement> before, List<Measurement> after) {
        double first = Spread.of(before, figure.value()).median();
        double second = Spread.of(after, figure.value()).median();
        return first == 0 || second == 0
                ? "–"
                : String.format(
                        Locale.ROOT,
                        "%.2f (%s → %s)",
                        second / first,
                        figure.text(first),
                        figure.text(second));
    }
}
