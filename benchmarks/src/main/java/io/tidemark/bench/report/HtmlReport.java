package io.tidemark.bench.report;

import java.util.List;

/** A result as one page without external assets: {@link Plot plots} of its main figures. */
public final class HtmlReport {
    private static final List<Figure> PLOTS = List.of(Figure.CPU, Figure.RATE, Figure.P99);

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
                        svg { display: block; margin: 1em 0; }
                        </style>
                        <h1>Tidemark bench</h1>
                        """);
        page.append("<p>").append(Plot.escaped(result.began())).append("</p>\n<ul>\n");
        result.settings()
                .forEach((name, value) ->
                        page.append("<li>")
                                .append(Plot.escaped(name + ": " + value))
                                .append("</li>\n"));
        page.append("</ul>\n");
        PLOTS.forEach(figure -> page.append(Plot.of(result, figure)));
        return page.toString();
    }
}
