package io.tidemark.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A reflector's state: the objects by namespace and name, and its last resource version. */
final class ReflectorStore {
    private final Map<String, JsonNode> objects = new TreeMap<>();
    private String resourceVersion = "";

    Map<String, JsonNode> objects() {
        return objects;
    }

    /** Empty before the first list or event. */
    String resourceVersion() {
        return resourceVersion;
    }

    /** The objects' resource versions. */
    Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        objects.forEach((name, object) ->
                versions.put(name, object.at("/metadata/resourceVersion").asText()));
        return versions;
    }

    void replace(JsonNode list) {
        objects.clear();
        add(list);
    }

    /** Adds a page, none of whose objects may be there. */
    void add(JsonNode page) {
        resourceVersion = Api.resourceVersion(page);
        for (JsonNode item : page.path("items")) {
            String name = nameOf(item);
            assertThat(objects.put(name, item)).as(name).isNull();
        }
    }

    /** Takes events until one of that resource version; without one, until the initial ones end. */
    void follow(Api.WatchStream watch, String until) throws Exception {
        follow(
                watch,
                event ->
                        until.isEmpty()
                                ? endsInitialEvents(event)
                                : event.at("/object/metadata/resourceVersion")
                                        .asText()
                                        .equals(until));
    }

    /** Takes events until the expected one, which must come. */
    void follow(Api.WatchStream watch, Predicate<JsonNode> last) throws Exception {
        JsonNode event;
        do {
            event = watch.next();
            JsonNode object = event.path("object");
            String name = nameOf(object);
            switch (event.path("type").asText()) {
                case "ADDED" -> assertThat(objects.put(name, object)).as(name).isNull();
                case "MODIFIED" -> assertThat(objects.put(name, object)).as(name).isNotNull();
                case "DELETED" -> assertThat(objects.remove(name)).as(name).isNotNull();
                case "BOOKMARK" -> {}
                default -> throw new AssertionError(event);
            }
            String version = object.at("/metadata/resourceVersion").asText();
            if (!resourceVersion.isEmpty() && !event.path("type").asText().equals("ADDED")) {
                assertThat(Long.parseLong(version))
                        .isGreaterThanOrEqualTo(Long.parseLong(resourceVersion));
            }
            resourceVersion = version;
        } while (!last.test(event));
    }

    private static boolean endsInitialEvents(JsonNode event) {
        return event.path("type").asText().equals("BOOKMARK")
                && event.path("object")
                        .path("metadata")
                        .path("annotations")
                        .path("k8s.io/initial-events-end")
                        .asText()
                        .equals("true");
    }

    private static String nameOf(JsonNode object) {
        return object.at("/metadata/namespace").asText()
                + "/"
                + object.at("/metadata/name").asText();
    }
}
