package io.tidemark.bench.report;

import io.tidemark.bench.load.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Ratios of the medians of two results, for the workloads and servers that both have. Below 1 the
 * second is lower. The ratio of CPU times is also divided by that of the machines' speeds, when
 * both results have measured them.
 */
public final class Comparison {
    /** A server whose CPU time for a unit is more than this many times the first is named. */
    public static final double WORSE = 1.5;

    private static final List<Figure> SHOWN =
            List.of(Figure.RATE, Figure.P50, Figure.P99, Figure.MEMORY);

    private Comparison() {}

    /** A Markdown table, and a line that names what got {@link #worse}. */
    public static String of(ResultFile before, ResultFile after) {
        OptionalDouble machine = MachineSpeed.ratio(before, after);
        StringBuilder text = new StringBuilder("| workload | server |");
        cell(text, Figure.CPU.title());
        if (machine.isPresent()) {
            cell(text, "CPU, by the machine's speed");
        }
        SHOWN.forEach(figure -> cell(text, figure.title()));
        text.append("\n|---|---|---:|").append(machine.isPresent() ? "---:|" : "");
        text.append("---:|".repeat(SHOWN.size())).append('\n');
        for (Row row : rows(before, after)) {
            text.append("| ").append(row.title()).append(" | ").append(row.target()).append(" |");
            cell(text, row.text(Figure.CPU));
            if (machine.isPresent()) {
                double corrected = row.ratio(Figure.CPU) / machine.getAsDouble();
                cell(text, corrected == 0 ? "–" : ratio(corrected));
            }
            SHOWN.forEach(figure -> cell(text, row.text(figure)));
            text.append('\n');
        }
        List<String> worse = worse(before, after);
        return text.append(
                        "\nCPU%s above %s times the first: %s%n"
                                .formatted(
                                        machine.isPresent() ? ", by the machine's speed," : "",
                                        WORSE,
                                        worse.isEmpty() ? "none" : String.join("; ", worse)))
                .toString();
    }

    /**
     * Names the workloads and servers whose CPU time for a unit is more than {@link #WORSE} times
     * the first, with the ratio: by the machine's speed, when both results have it.
     */
    public static List<String> worse(ResultFile before, ResultFile after) {
        double machine = MachineSpeed.ratio(before, after).orElse(1);
        List<String> worse = new ArrayList<>();
        for (Row row : rows(before, after)) {
            double corrected = row.ratio(Figure.CPU) / machine;
            if (corrected > WORSE) {
                worse.add("%s, %s (%s)".formatted(row.title(), row.target(), ratio(corrected)));
            }
        }
        return worse;
    }

    private static List<Row> rows(ResultFile before, ResultFile after) {
        List<Row> rows = new ArrayList<>();
        for (Map.Entry<String, String> workload : after.workloads().entrySet()) {
            for (String target : after.targets()) {
                List<Measurement> first = before.of(workload.getKey(), target);
                List<Measurement> second = after.of(workload.getKey(), target);
                if (!first.isEmpty() && !second.isEmpty()) {
                    rows.add(new Row(workload.getValue(), target, first, second));
                }
            }
        }
        return rows;
    }

    private static void cell(StringBuilder text, String value) {
        text.append(' ').append(value).append(" |");
    }

    private static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.2f", ratio);
    }

    /** One workload on one server, in both results. */
    private record Row(
            String title, String target, List<Measurement> before, List<Measurement> after) {
        /** 0 when one of the two was not measured. */
        double ratio(Figure figure) {
            double first = Spread.of(before, figure.value()).median();
            return first == 0 ? 0 : Spread.of(after, figure.value()).median() / first;
        }

        String text(Figure figure) {
            double ratio = ratio(figure);
            return ratio == 0
                    ? "–"
                    : "%s (%s → %s)"
                            .formatted(
                                    Comparison.ratio(ratio),
                                    figure.text(Spread.of(before, figure.value()).median()),
                                    figure.text(Spread.of(after, figure.value()).median()));
        }
    }
}
