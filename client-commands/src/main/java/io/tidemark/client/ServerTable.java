package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.client.Terminal.Colour;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints the Tables that a server renders for lists and watch events. */
final class ServerTable {
    /** As wide as the longest event type, as rows are printed one by one. */
    private static final String EVENT = "event   ";

    private final Terminal terminal;
    private final boolean wide;
    private final boolean namespaces;
    private final boolean events;
    private final List<Integer> shown = new ArrayList<>();
    private @Nullable TableText text;

    /**
     * @param wide also prints columns with a priority above 0
     * @param namespaces prints the namespace as a leading column
     * @param events prints the event type as the first column
     */
    ServerTable(Terminal terminal, boolean wide, boolean namespaces, boolean events) {
        this.terminal = terminal;
        this.wide = wide;
        this.namespaces = namespaces;
        this.events = events;
    }

    /** Takes the columns from the first Table that has them. */
    void head(JsonNode table) {
        if (text == null && !table.path("columnDefinitions").isEmpty()) {
            text = new TableText(columns(table));
        }
    }

    /**
     * Prints the rows of a Table.
     *
     * @param event its type; empty outside of a watch
     */
    void print(JsonNode table, String event) {
        head(table);
        if (text == null) {
            return;
        }
        for (JsonNode row : table.path("rows")) {
            List<String> cells = new ArrayList<>();
            if (events) {
                cells.add(event);
            }
            if (namespaces) {
                cells.add(row.path("object").path("metadata").path("namespace").asText());
            }
            for (int column : shown) {
                cells.add(row.path("cells").path(column).asText("")); // As kubectl prints null.
            }
            text.add(events ? Colour.ofEvent(event) : Colour.NONE, cells);
        }
        text.print(terminal);
    }

    private List<String> columns(JsonNode table) {
        List<String> columns = new ArrayList<>();
        if (events) {
            columns.add(EVENT);
        }
        if (namespaces) {
            columns.add("namespace");
        }
        int place = 0;
        for (JsonNode definition : table.path("columnDefinitions")) {
            if (wide || definition.path("priority").asInt() == 0) {
                shown.add(place);
                columns.add(definition.path("name").asText());
            }
            place++;
        }
        return columns;
    }
}
