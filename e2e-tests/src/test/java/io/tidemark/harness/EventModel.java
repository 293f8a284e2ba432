package io.tidemark.harness;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The events that watchers must get, derived from the writes: the type of each event, in etcd's
 * order.
 */
public final class EventModel {
    private final Set<String> present = new HashSet<>();
    private final List<ObservedEvent> events = new ArrayList<>();

    /** One event of a watch: of an etcd key at a revision. */
    public record ObservedEvent(String type, String key, long revision) {
        /** An event of {@code /kv}. */
        public static ObservedEvent ofKey(JsonNode event) {
            JsonNode object = event.path("object");
            return new ObservedEvent(
                    event.path("type").asText(),
                    object.path("key").asText(),
                    object.path("modRevision").asLong());
        }

        /** An event of objects whose keys begin with {@code directory}. */
        public static ObservedEvent ofObject(String directory, JsonNode event) {
            JsonNode metadata = event.path("object").path("metadata");
            String namespace = metadata.path("namespace").asText("");
            return new ObservedEvent(
                    event.path("type").asText(),
                    directory
                            + (namespace.isEmpty() ? "" : namespace + "/")
                            + metadata.path("name").asText(),
                    metadata.path("resourceVersion").asLong());
        }
    }

    public void put(String key, long revision) {
        events.add(new ObservedEvent(present.add(key) ? "ADDED" : "MODIFIED", key, revision));
    }

    public void delete(String key, long revision) {
        if (present.remove(key)) {
            events.add(new ObservedEvent("DELETED", key, revision));
        }
    }

    /** All events of keys with this prefix. */
    public List<ObservedEvent> below(String prefix) {
        return events.stream().filter(event -> event.key().startsWith(prefix)).toList();
    }
}
