package io.tidemark.client;

import io.tidemark.client.Terminal.Colour;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A text table with aligned columns and capitalized headers; the last column is not padded. */
public final class TableText {
    private static final String GAP = "   ";

    private final List<String> columns;
    private final List<Row> rows = new ArrayList<>();
    private final int[] widths;
    private boolean headed;

    private record Row(Colour colour, List<String> cells) {}

    public TableText(List<String> columns) {
        this.columns = columns.stream().map(name -> name.toUpperCase(Locale.ROOT)).toList();
        this.widths = this.columns.stream().mapToInt(TableText::width).toArray();
    }

    /** Adds a row. Ignores cells beyond the columns; missing ones are empty. */
    public void add(Colour colour, List<String> cells) {
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            shown.add(i < cells.size() ? oneLine(cells.get(i)) : "");
            widths[i] = Math.max(widths[i], width(shown.get(i)));
        }
        rows.add(new Row(colour, shown));
    }

    /** Prints the rows added since the last call, and the header once. */
    public void print(Terminal terminal) {
        if (!headed && !rows.isEmpty()) {
            headed = true;
            terminal.line(Colour.HEAD, line(columns));
        }
        for (Row row : rows) {
            terminal.line(row.colour(), line(row.cells()));
        }
        rows.clear();
    }

    private String line(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            line.append(cells.get(i));
            if (i < cells.size() - 1) {
                line.repeat(' ', widths[i] - width(cells.get(i))).append(GAP);
            }
        }
        return line.toString().stripTrailing();
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }

    /** As the terminal will print it, so that columns stay aligned. */
    private static String oneLine(String cell) {
        return Terminal.safe(cell.replaceAll("[\t\r\n]", " "));
    }
}
