package io.tidemark.golden.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.golden.recording.Answer;
import io.tidemark.golden.recording.GoldenRecordings;
import io.tidemark.golden.recording.ProtobufJson;
import io.tidemark.harness.JsonDifferences;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares the events of two watches in order. Bookmarks do not count, because the server chooses
 * their time and revision, except for the one that ends the initial events. Nor does it count how
 * often a stream of tables repeats its column definitions.
 */
public final class EventComparison {
    private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

    private EventComparison() {}

    /** One line per difference; empty when there is none. */
    static List<String> between(List<JsonNode> expected, byte[] answered) {
        return between(expected, parsed(answered));
    }

    /** The same for events on both sides. */
    static List<String> between(List<JsonNode> expected, List<JsonNode> actual) {
        List<JsonNode> expectedEvents = normalized(expected);
        List<JsonNode> was = normalized(actual);
        List<String> found = new ArrayList<>();
        for (int i = 0; i < Math.max(expectedEvents.size(), was.size()); i++) {
            if (i >= expectedEvents.size()) {
                found.add("event %d: expected the end, was %s".formatted(i, shown(was.get(i))));
            } else if (i >= was.size()) {
                found.add(
                        "event %d: expected %s, was the end"
                                .formatted(i, shown(expectedEvents.get(i))));
            } else if (!expectedEvents.get(i).equals(was.get(i))) {
                String at = "event " + i;
                JsonDifferences.between(expectedEvents.get(i), was.get(i))
                        .forEach(difference -> found.add(at + " " + difference));
            }
        }
        return found;
    }

    /** Its lines or frames as documents; a line that is none stays as text. */
    public static List<JsonNode> parsed(byte[] answered) {
        // The length of a frame, which no text begins with.
        if (answered.length > 0 && answered[0] == 0) {
            return ProtobufJson.events(answered);
        }
        return new String(answered, StandardCharsets.UTF_8)
                .lines()
                .map(line ->
                        Answer.parse(line)
                                .orElseGet(() ->
                                        GoldenRecordings.JSON.getNodeFactory().textNode(line)))
                .toList();
    }

    /** Those that count. */
    public static List<JsonNode> withoutBookmarks(List<JsonNode> events) {
        return events.stream().filter(event -> !isPeriodicBookmark(event)).toList();
    }

    /** Whether its revision is below another; false where it has none. */
    public static boolean isOlder(JsonNode event, long revision) {
        long own = event.at("/object/metadata/resourceVersion").asLong(Long.MAX_VALUE);
        return own < revision;
    }

    private static boolean isPeriodicBookmark(JsonNode event) {
        return event.path("type").asText().equals("BOOKMARK")
                && !event.toString().contains(INITIAL_EVENTS_END);
    }

    private static List<JsonNode> normalized(List<JsonNode> events) {
        List<JsonNode> normalized = new ArrayList<>();
        JsonNode columns = MissingNode.getInstance();
        for (JsonNode event : withoutBookmarks(events)) {
            JsonNode copy = event.deepCopy();
            if (copy.path("object") instanceof ObjectNode object
                    && object.path("kind").asText().equals("Table")) {
                if (object.path("columnDefinitions") instanceof ArrayNode said && !said.isEmpty()) {
                    columns = said;
                }
                object.set("columnDefinitions", columns);
                AgeMasking.maskTable(object, columns);
            }
            normalized.add(copy);
        }
        return normalized;
    }

    private static String shown(JsonNode event) {
        return Comparison.shown(event.toString());
    }
}
