package io.tidemark.client.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.client.Output;
import io.tidemark.client.Terminal;
import io.tidemark.client.Terminal.Colour;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Prints changes: a line for each, and one for each of its fields; or as JSON. */
final class ChangeText {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

    private final Terminal terminal;
    private final Output form;
    private final boolean status;

    /**
     * @param status whether fields of the status are shown, and not only counted
     */
    ChangeText(Terminal terminal, Output form, boolean status) {
        this.terminal = terminal;
        this.form = form;
        this.status = status;
    }

    void print(JsonNode item) {
        if (form == Output.JSON) {
            terminal.document(item.toString());
            return;
        }
        String type = item.path("type").asText();
        JsonNode object = item.path("object");
        String namespace = object.path("namespace").asText();
        String name = object.path("name").asText();
        StringBuilder head = new StringBuilder();
        head.append(local(item.path("time").asText())).append("  ").append(type).append("  ");
        head.append(object.path("resource").asText()).append(' ');
        head.append(namespace.isEmpty() ? name : namespace + "/" + name);
        head.append("  @").append(item.path("resourceVersion").asText());
        JsonNode root = item.path("root");
        if (root.isObject()) {
            head.append("  of ").append(root.path("kind").asText()).append(' ');
            head.append(root.path("name").asText());
        }
        terminal.line(Colour.ofEvent(type), head.toString());
        if (item.has("message")) {
            terminal.line("    " + item.path("message").asText());
        }
        int more = item.path("moreChanges").asInt();
        for (JsonNode change : item.path("changes")) {
            if (status || !change.path("path").asText().startsWith("status.")) {
                terminal.line("    " + field(change));
            } else {
                more++;
            }
        }
        if (more > 0) {
            terminal.line("    and %d more fields".formatted(more));
        }
    }

    private static String field(JsonNode change) {
        String manager = change.path("manager").asText();
        String values =
                change.path("hidden").asBoolean()
                        ? "(hidden)"
                        : value(change.get("old")) + " → " + value(change.get("new"));
        String cut = change.path("cut").asBoolean() ? " (cut)" : "";
        String who = manager.isEmpty() ? "" : "  by " + manager;
        return change.path("path").asText() + ": " + values + cut + who;
    }

    private static String value(@Nullable JsonNode value) {
        return value == null ? "none" : value.toString();
    }

    /** In the zone of this machine. */
    static String local(String time) {
        return time.isEmpty()
                ? ""
                : Instant.parse(time).atZone(ZonedDateTime.now().getZone()).format(TIME);
    }
}
