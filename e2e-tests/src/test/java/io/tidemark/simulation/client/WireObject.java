package io.tidemark.simulation.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.golden.recording.ProtobufJson;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.ModelFilter;
import io.tidemark.simulation.model.Payload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A key and its value as a client reads them from JSON. */
final class WireObject {
    private static final JsonMapper JSON = new JsonMapper();

    private WireObject() {}

    static JsonNode parse(byte[] document) {
        try {
            return JSON.readTree(document);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A list, in a form. */
    static JsonNode list(byte[] document, ClientForm form) {
        return form.isProtobuf() ? ProtobufJson.document(document) : parse(document);
    }

    /** A watch's line, in a form. */
    static JsonNode event(byte[] line, ClientForm form) {
        return form.isProtobuf() ? onlyOf(ProtobufJson.events(line)) : parse(line);
    }

    private static JsonNode onlyOf(List<JsonNode> events) {
        if (events.size() != 1) {
            throw new IllegalStateException(events.size() + " frames instead of one");
        }
        return events.getFirst();
    }

    /**
     * An object of a list, or of an event that shows a current state.
     *
     * @param object in the scope's form; of a Table, a row
     */
    static Item item(JsonNode object, ClientScope scope, boolean deleted) {
        return switch (scope.form()) {
            case KEY_VALUES -> keyValue(object, deleted);
            case OBJECTS, METADATA, OBJECTS_IN_PROTOBUF, METADATA_IN_PROTOBUF ->
                    object(object, scope, "");
            case TABLE -> {
                JsonNode shown = object.path("object");
                String cell = object.path("cells").path(0).asText();
                boolean named = cell.equals(shown.path("metadata").path("name").asText());
                yield object(shown, scope, named ? "" : "row " + cell + ": ");
            }
        };
    }

    private static Item object(JsonNode object, ClientScope scope, String note) {
        JsonNode metadata = object.path("metadata");
        String name = metadata.path("name").asText();
        Map<String, String> labels = new TreeMap<>();
        metadata.path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        String serial =
                object.has("spec") ? " " + object.path("spec").path("hostname").asText() : "";
        return new Item(
                scope.keyOf(name),
                metadata.path("resourceVersion").asLong(),
                note + ModelFilter.metadata(name, labels) + serial);
    }

    private static Item keyValue(JsonNode object, boolean deleted) {
        return new Item(
                Bytes.utf8(object.path("key").asText()),
                object.path("modRevision").asLong(),
                shown(object, deleted));
    }

    /**
     * The value in normal form; for an object whose resourceVersion is not its revision, with a
     * note of that.
     *
     * @param deleted then it shows its last state, whose revision is not on the wire
     */
    private static String shown(JsonNode object, boolean deleted) {
        String value = object.path("value").asText();
        long revision = object.path("modRevision").asLong();
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        String text = Payload.normalForm(bytes, 0, bytes.length);
        long shown = Payload.resourceVersion(bytes, 0, bytes.length);
        boolean right = deleted ? shown < revision : shown == revision;
        boolean isObject = value.startsWith("{") && value.endsWith("}");
        return right || !isObject ? text : "resourceVersion is not " + revision + ": " + text;
    }
}
