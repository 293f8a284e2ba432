package io.tidemark.golden.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Masks what changes with the clock: the time since something happened. It must be an age, but may
 * be any.
 */
final class AgeMasking {
    private static final String MASK = "<age>";

    private static final Set<String> COLUMNS =
            Set.of("Age", "Last Schedule", "Duration", "Last Seen", "First Seen");

    private static final String DURATION = "(?:\\d+[ydhms]){1,2}|<invalid>";
    private static final Pattern AGE = Pattern.compile(DURATION);
    private static final Pattern AGO = Pattern.compile("\\((?:" + DURATION + ") ago\\)");

    /** A word of printed text; quotes, brackets and commas around it are separate. */
    private static final Pattern WORD =
            Pattern.compile("(?<![\\w.=:-])(?:" + DURATION + ")(?![\\w.=:-])");

    private AgeMasking() {}

    /** Replaces the ages in the cells of each table in the document. */
    static void mask(JsonNode document) {
        if (document.path("kind").asText().equals("Table")) {
            maskTable(document, document.path("columnDefinitions"));
        }
    }

    /**
     * Replaces the ages in a table's cells. Cells of a column that is named so, or declared as a
     * date, hold only an age; so may cells without a column definition.
     */
    static void maskTable(JsonNode table, JsonNode columns) {
        for (JsonNode row : table.path("rows")) {
            if (row.path("cells") instanceof ArrayNode cells) {
                for (int i = 0; i < cells.size(); i++) {
                    if (cells.get(i).isTextual()) {
                        cells.set(i, masked(cells.get(i).asText(), isAge(columns.path(i))));
                    }
                }
            }
        }
    }

    private static boolean isAge(JsonNode column) {
        return column.isMissingNode()
                || COLUMNS.contains(column.path("name").asText())
                || column.path("type").asText().equals("date");
    }

    private static String masked(String cell, boolean isAge) {
        if (isAge && AGE.matcher(cell).matches()) {
            return MASK;
        }
        return AGO.matcher(cell).replaceAll("(" + MASK + " ago)");
    }

    /** Whether two printed lines are equal except for ages and their padding. */
    static boolean sameLine(String expected, String actual) {
        return expected.equals(actual) || maskedLine(expected).equals(maskedLine(actual));
    }

    private static String maskedLine(String line) {
        return WORD.matcher(line).replaceAll(MASK).replaceAll(" {2,}", "  ").stripTrailing();
    }

    /** A copy that can be masked. */
    static JsonNode copy(JsonNode document) {
        return document instanceof ObjectNode object ? object.deepCopy() : document;
    }
}
