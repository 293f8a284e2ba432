package io.tidemark.simulation.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.Payload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

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

    static Item item(JsonNode object) {
        return new Item(
                Bytes.utf8(object.path("key").asText()),
                object.path("modRevision").asLong(),
                shown(object, false));
    }

    /**
     * The value in normal form; for an object whose resourceVersion is not its revision, with a
     * note of that.
     *
     * @param deleted then it shows its last state, whose revision is not on the wire
     */
    static String shown(JsonNode object, boolean deleted) {
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
