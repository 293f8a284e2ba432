package io.tidemark.bench.report;

import io.tidemark.bench.load.Measurement;
import io.tidemark.bench.load.SendReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One figure of a result as an SVG without external assets, a page's or an image's: a bar for each
 * workload and server, as long as the median, with the extremes of the rounds as a line. Bars of
 * one workload have one scale; workloads of which nothing was measured have none.
 */
public final class Plot {
    private static final int MARGIN = 10;
    private static final int TITLE_HEIGHT = 30;
    private static final int BAR_WIDTH = 420;
    private static final int BAR_HEIGHT = 16;
    private static final int BAR_GAP = 4;
    private static final int WORKLOAD_GAP = 8;
    private static final int TEXT_GAP = 10;

    /** As for "123.45 ms per delivery". */
    private static final int VALUE_WIDTH = 170;

    /** Pixels of a character in a wide font of this size. */
    private static final double CHARACTER_WIDTH = 7.2;

    /** Characters; what is longer is cut, and shown whole by a browser that points at it. */
    private static final int LABEL_CHARACTERS = 72;

    private static final List<String> COLORS = List.of("#1f6fb2", "#c2571a", "#3a8a4b", "#7a4fa3");
    private static final String MACHINE_COLOR = "#888888";

    private Plot() {}

    /** Server CPU for a unit. */
    public static String cpu(ResultFile result) {
        return of(result, Figure.CPU);
    }

    /** The 99th percentile of latency. */
    public static String p99(ResultFile result) {
        return of(result, Figure.P99);
    }

    static String of(ResultFile result, Figure figure) {
        List<Bar> bars = bars(result, figure);
        int labels = (int) Math.ceil(longestLabel(bars) * CHARACTER_WIDTH);
        int left = MARGIN + labels + TEXT_GAP;
        StringBuilder drawn = new StringBuilder();
        int y = TITLE_HEIGHT;
        for (Bar bar : bars) {
            y += bar.first() ? WORKLOAD_GAP : 0;
            draw(drawn, bar, left, y, figure);
            y += BAR_HEIGHT + BAR_GAP;
        }
        if (bars.isEmpty()) {
            text(drawn, MARGIN, y, "start", "not measured");
            y += BAR_HEIGHT;
        }
        int width = left + BAR_WIDTH + TEXT_GAP + VALUE_WIDTH + MARGIN;
        return frame(figure.title(), width, y + MARGIN, drawn);
    }

    private static List<Bar> bars(ResultFile result, Figure figure) {
        List<String> servers = new ArrayList<>(result.targets());
        servers.remove(SendReference.MACHINE);
        List<Bar> bars = new ArrayList<>();
        for (Map.Entry<String, String> workload : result.workloads().entrySet()) {
            List<Bar> measured = new ArrayList<>();
            for (String target : result.targets()) {
                List<Measurement> rounds = result.of(workload.getKey(), target);
                Spread spread = Spread.of(rounds, figure.value());
                int server = servers.indexOf(target);
                if (!rounds.isEmpty()) {
                    measured.add(
                            new Bar(
                                    workload.getValue() + ", " + target,
                                    rounds.getFirst().unit(),
                                    spread,
                                    0,
                                    server < 0 ? MACHINE_COLOR : COLORS.get(server % COLORS.size()),
                                    measured.isEmpty()));
                }
            }
            double most = measured.stream().mapToDouble(bar -> bar.spread().most()).max().orElse(0);
            if (most > 0) {
                measured.forEach(bar -> bars.add(bar.scaledTo(most)));
            }
        }
        return bars;
    }

    /**
     * @param most at the right end of the scale
     * @param first of its workload
     */
    private record Bar(
            String label, String unit, Spread spread, double most, String color, boolean first) {
        Bar scaledTo(double end) {
            return new Bar(label, unit, spread, end, color, first);
        }

        String shortLabel() {
            return label.codePointCount(0, label.length()) <= LABEL_CHARACTERS
                    ? label
                    : label.substring(0, label.offsetByCodePoints(0, LABEL_CHARACTERS - 1)) + "…";
        }
    }

    private static int longestLabel(List<Bar> bars) {
        return bars.stream().mapToInt(bar -> bar.shortLabel().length()).max().orElse(0);
    }

    private static void draw(StringBuilder drawn, Bar bar, int left, int y, Figure figure) {
        double scale = BAR_WIDTH / bar.most();
        drawn.append("<g><title>").append(escaped(bar.label())).append("</title>\n");
        // It ends where bars begin: in a wider font it grows to the left.
        text(drawn, left - TEXT_GAP, y, "end", bar.shortLabel());
        drawn.append(
                String.format(
                        Locale.ROOT,
                        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                        left,
                        y,
                        bar.spread().median() * scale,
                        BAR_HEIGHT,
                        bar.color()));
        drawn.append(
                String.format(
                        Locale.ROOT,
                        "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#222\"/>%n",
                        left + bar.spread().least() * scale,
                        y + BAR_HEIGHT / 2,
                        left + bar.spread().most() * scale,
                        y + BAR_HEIGHT / 2));
        text(drawn, left + BAR_WIDTH + TEXT_GAP, y, "start", value(bar, figure));
        drawn.append("</g>\n");
    }

    private static String value(Bar bar, Figure figure) {
        if (bar.spread().isZero()) {
            return "–";
        }
        String value = figure.text(bar.spread().median());
        return figure == Figure.CPU ? value + " per " + bar.unit() : value;
    }

    private static void text(StringBuilder drawn, int x, int y, String anchor, String text) {
        drawn.append(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>%n"
                        .formatted(x, y + BAR_HEIGHT - 4, anchor, escaped(text)));
    }

    private static String frame(String title, int width, int height, StringBuilder content) {
        return """
        <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" \
        viewBox="0 0 %1$d %2$d" role="img" font-family="sans-serif" font-size="12" \
        fill="#222">
        <title>%3$s</title>
        <rect width="%1$d" height="%2$d" fill="#fff"/>
        <text x="%4$d" y="20" font-size="14" font-weight="bold">%3$s</text>
        %5$s</svg>
        """
                .formatted(width, height, escaped(title), MARGIN, content);
    }

    /** XML has no control characters at all. */
    static String escaped(String text) {
        return text.replaceAll("\\p{Cntrl}", " ")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }
}
