package io.tidemark.kubernetes.convert;

import io.tidemark.kubernetes.json.JsonTree;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import io.tidemark.kubernetes.schema.Schema;
import java.util.HashMap;
import java.util.Map;

/** Converts events between the two groups that serve them; only member names differ. */
final class EventConversion {
    /** The core group's names, and those of events.k8s.io. */
    private static final Map<String, String> NAMES =
            Map.of(
                    "involvedObject", "regarding",
                    "message", "note",
                    "source", "deprecatedSource",
                    "firstTimestamp", "deprecatedFirstTimestamp",
                    "lastTimestamp", "deprecatedLastTimestamp",
                    "count", "deprecatedCount",
                    "reportingComponent", "reportingController");

    private static final Map<String, String> BACK = inverse();

    private EventConversion() {}

    static JsonObject toEventsGroup(JsonObject event, Schema schema) {
        return renamed(event, NAMES);
    }

    static JsonObject toCore(JsonObject event, Schema schema) {
        return renamed(event, BACK);
    }

    private static JsonObject renamed(JsonObject event, Map<String, String> names) {
        Map<String, JsonTree> members = new HashMap<>();
        event.members()
                .forEach((name, value) -> members.put(names.getOrDefault(name, name), value));
        return new JsonObject(members);
    }

    private static Map<String, String> inverse() {
        Map<String, String> inverse = new HashMap<>();
        NAMES.forEach((core, events) -> inverse.put(events, core));
        return Map.copyOf(inverse);
    }
}
