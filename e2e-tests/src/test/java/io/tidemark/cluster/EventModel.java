package io.tidemark.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What watchers must see, told by what was written: the type of each event, in etcd's order. */
final class EventModel {
    private final Set<String> present = new HashSet<>();
    private final List<Seen> events = new ArrayList<>();

    /** One event of a watch: of an etcd key at a revision. */
    record Seen(String type, String key, long revision) {
        /** An event of the plain face. */
        static Seen ofKey(JsonNode event) {
            JsonNode object = event.path("object");
            return new Seen(
                    event.path("type").asText(),
                    object.path("key").asText(),
                    object.path("modRevision").asLong());
        }

        /** An event of objects whose keys begin with {@code directory}. */
        static Seen ofObject(String directory, JsonNode event) {
            JsonNode metadata = event.path("object").path("metadata");
            String namespace = metadata.path("namespace").asText("");
            return new Seen(
                    event.path("type").asText(),
                    directory
                            + (namespace.isEmpty() ? "" : namespace + "/")
                            + metadata.path("name").asText(),
                    metadata.path("resourceVersion").asLong());
        }
    }

    void put(String key, long revision) {
        events.add(new Seen(present.add(key) ? "ADDED" : "MODIFIED", key, revision));
    }

    void delete(String key, long revision) {
        if (present.remove(key)) {
            events.add(new Seen("DELETED", key, revision));
        }
    }

    /** All events of keys that begin so. */
    List<Seen> below(String prefix) {
        return events.stream().filter(event -> event.key().startsWith(prefix)).toList();
    }
}
