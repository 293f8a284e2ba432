package io.tidemark.bench.report;

import io.tidemark.bench.load.Measurement;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A result as one page without external assets: a bar for each workload and server, with the
 * extremes of the rounds as a line. Bars of one workload have one scale.
 */
public final class HtmlReport {
    private static final List<Figure> PLOTS = List.of(Figure.CPU, Figure.RATE, Figure.P99);
    private static final int LABEL_WIDTH = 330;
    private static final int BAR_WIDTH = 420;
    private static final int BAR_HEIGHT = 16;
    private static final List<String> COLORS = List.of("#1f6fb2", "#c2571a", "#3a8a4b", "#7a4fa3");

    private HtmlReport() {}

    public static String of(ResultFile result) {
        StringBuilder page =
                new StringBuilder(
                        """
                        <!doctype html>
                        <meta charset="utf-8">
                        <title>Tidemark bench</title>
                        <style>
                        body { font: 14px/1.4 sans-serif; margin: 2em; color: #222; }
                        text { font: 12px sans-serif; }
                        </style>
                        <h1>Tidemark bench</h1>
                        """);
        page.append("<p>").append(escaped(result.began())).append("</p>\n<ul>\n");
        result.settings()
                .forEach((name, value) ->
                        page.append("<li>").append(escaped(name + ": " + value)).append("</li>\n"));
        page.append("</ul>\n");
        PLOTS.forEach(figure -> plot(page, result, figure));
        return page.toString();
    }

    private static void plot(StringBuilder page, ResultFile result, Figure figure) {
        page.append("<h2>").append(escaped(figure.title())).append("</h2>\n");
        StringBuilder bars = new StringBuilder();
        int y = 0;
        for (Map.Entry<String, String> workload : result.workloads().entrySet()) {
            double most =
                    result.targets().stream()
                            .mapToDouble(target ->
                                    Spread.of(result.of(workload.getKey(), target), figure.value())
                                            .most())
                            .max()
                            .orElse(0);
            if (most == 0) {
                continue;
            }
            for (int target = 0; target < result.targets().size(); target++) {
                String name = result.targets().get(target);
                List<Measurement> rounds = result.of(workload.getKey(), name);
                Spread spread = Spread.of(rounds, figure.value());
                String label = workload.getValue() + ", " + name;
                bar(bars, y, label, spread, most, COLORS.get(target % COLORS.size()));
                text(bars, LABEL_WIDTH + BAR_WIDTH + 10, y, figure.text(spread.median()));
                y += BAR_HEIGHT + 4;
            }
            y += 8;
        }
        page.append("<svg width=\"900\" height=\"%d\" role=\"img\">\n".formatted(y))
                .append(bars)
                .append("</svg>\n");
    }

    private static void bar(
            StringBuilder bars, int y, String label, Spread spread, double most, String color) {
        double scale = BAR_WIDTH / most;
        text(bars, 0, y, label);
        bars.append(
                String.format(
                        Locale.ROOT,
                        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                        LABEL_WIDTH,
                        y,
                        spread.median() * scale,
                        BAR_HEIGHT,
                        color));
        bars.append(
                String.format(
                        Locale.ROOT,
                        "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#222\"/>%n",
                        LABEL_WIDTH + spread.least() * scale,
                        y + BAR_HEIGHT / 2,
                        LABEL_WIDTH + spread.most() * scale,
                        y + BAR_HEIGHT / 2));
    }

    private static void text(StringBuilder bars, int x, int y, String text) {
        bars.append(
                "<text x=\"%d\" y=\"%d\">%s</text>%n"
                        .formatted(x, y + BAR_HEIGHT - 4, escaped(text)));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
