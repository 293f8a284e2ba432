package io.tidemark.authentication;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads comma-separated values as Go's {@code encoding/csv} does: a column in quotes may contain
 * commas, line breaks and doubled quotes; blanks count; empty lines do not.
 */
final class CsvReader {
    private final String text;
    private int at;
    private int line = 1;

    /**
     * @param line in which it begins, from 1
     */
    record Row(int line, List<String> columns) {}

    private CsvReader(String text) {
        this.text = text;
    }

    /**
     * @throws IllegalArgumentException when a quote is at a wrong place; the message names the line
     *     and no content
     */
    static List<Row> rows(String text) {
        // As Go: a carriage return counts only without a line feed.
        CsvReader reader = new CsvReader(text.replace("\r\n", "\n"));
        List<Row> rows = new ArrayList<>();
        while (reader.at < reader.text.length()) {
            if (reader.text.charAt(reader.at) == '\n') {
                reader.at++;
                reader.line++;
            } else {
                rows.add(reader.row());
            }
        }
        return rows;
    }

    private Row row() {
        int begin = line;
        List<String> columns = new ArrayList<>();
        do {
            columns.add(at < text.length() && text.charAt(at) == '"' ? quoted() : plain());
        } while (skip(','));
        if (skip('\n')) {
            line++;
        }
        return new Row(begin, columns);
    }

    private boolean skip(char expected) {
        if (at < text.length() && text.charAt(at) == expected) {
            at++;
            return true;
        }
        return false;
    }

    private String plain() {
        int begin = at;
        while (at < text.length() && text.charAt(at) != ',' && text.charAt(at) != '\n') {
            if (text.charAt(at) == '"') {
                throw new IllegalArgumentException(
                        "line %d has a quote inside of a column".formatted(line));
            }
            at++;
        }
        return text.substring(begin, at);
    }

    private String quoted() {
        int begin = line;
        StringBuilder column = new StringBuilder();
        at++;
        while (at < text.length()) {
            char next = text.charAt(at++);
            if (next == '"' && !skip('"')) {
                requireEnd();
                return column.toString();
            }
            if (next == '\n') {
                line++;
            }
            column.append(next);
        }
        throw new IllegalArgumentException("line %d opens a quote without an end".formatted(begin));
    }

    private void requireEnd() {
        if (at < text.length() && text.charAt(at) != ',' && text.charAt(at) != '\n') {
            throw new IllegalArgumentException(
                    "line %d has text after a closing quote".formatted(line));
        }
    }
}
