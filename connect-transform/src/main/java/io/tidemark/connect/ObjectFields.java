package io.tidemark.connect;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What identifies a Kubernetes object, read from its JSON.
 *
 * @param strings {@code apiVersion} and {@code kind}, and of the metadata {@code namespace}, {@code
 *     name}, {@code uid} and {@code creationTimestamp}; without those that are absent or no text
 * @param labels the labels as a JSON object; null when there are none
 */
record ObjectFields(Map<String, String> strings, @Nullable String labels) {
    /**
     * Reads the fields of a JSON object; all others are skipped, not decoded.
     *
     * @throws UncheckedIOException when it is not JSON
     */
    static ObjectFields of(Bytes json) {
        Map<String, String> strings = new HashMap<>();
        String labels = null;
        try (JsonParser parser = ObjectJson.FACTORY.createParser(json.array())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return new ObjectFields(strings, null);
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                switch (parser.currentName()) {
                    case "apiVersion", "kind" -> text(parser, strings);
                    case "metadata" -> labels = metadata(parser, strings);
                    default -> skip(parser);
                }
            }
        } catch (IOException e) {
            throw notJson(e);
        }
        return new ObjectFields(strings, labels);
    }

    /** Names the place of an error, not the text there, which may be a secret. */
    static UncheckedIOException notJson(IOException e) {
        String place =
                e instanceof JsonProcessingException json && json.getLocation() != null
                        ? " at character " + json.getLocation().getCharOffset()
                        : "";
        String problem =
                e instanceof StreamConstraintsException
                        ? "the value is nested too deeply"
                        : "the value is not JSON";
        return new UncheckedIOException(problem + place, e);
    }

    /** Reads the metadata into {@code strings}; returns the labels. */
    private static @Nullable String metadata(JsonParser parser, Map<String, String> strings)
            throws IOException {
        String labels = null;
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return null;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            switch (parser.currentName()) {
                case "namespace", "name", "uid", "creationTimestamp" -> text(parser, strings);
                case "labels" -> labels = object(parser);
                default -> skip(parser);
            }
        }
        return labels;
    }

    private static void text(JsonParser parser, Map<String, String> strings) throws IOException {
        String name = parser.currentName();
        if (parser.nextToken() == JsonToken.VALUE_STRING) {
            strings.put(name, parser.getText());
        } else {
            parser.skipChildren();
        }
    }

    private static @Nullable String object(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return null;
        }
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = ObjectJson.FACTORY.createGenerator(text)) {
            generator.copyCurrentStructure(parser);
        }
        return text.toString();
    }

    private static void skip(JsonParser parser) throws IOException {
        parser.nextToken();
        parser.skipChildren();
    }
}
