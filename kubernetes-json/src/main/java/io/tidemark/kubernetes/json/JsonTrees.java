package io.tidemark.kubernetes.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.tidemark.json.JsonBuffer;
import io.tidemark.json.MalformedJsonException;
import io.tidemark.json.Utf8;
import io.tidemark.kubernetes.json.JsonTree.JsonArray;
import io.tidemark.kubernetes.json.JsonTree.JsonBoolean;
import io.tidemark.kubernetes.json.JsonTree.JsonNull;
import io.tidemark.kubernetes.json.JsonTree.JsonNumber;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import io.tidemark.kubernetes.json.JsonTree.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses and prints {@link JsonTree}s. */
public final class JsonTrees {
    /** Below the depth that Tidemark's readers allow, with room for enclosing objects. */
    private static final int MAX_DEPTH = 900;

    private static final int MAX_TEXT_BYTES = 64 << 20;

    private static final JsonFactory FACTORY =
            new JsonFactoryBuilder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(MAX_DEPTH)
                                    .maxStringLength(MAX_TEXT_BYTES)
                                    .maxNameLength(MAX_TEXT_BYTES)
                                    .maxNumberLength(MAX_TEXT_BYTES)
                                    .build())
                    // A table of names that all parsers share would refuse colliding names, and
                    // keep thousands of any length: who writes an object chooses its names.
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .build();

    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

    private JsonTrees() {}

    /**
     * Parses one value. Of duplicate members the last counts; unpaired surrogates become U+FFFD, as
     * in Go.
     *
     * @throws MalformedJsonException when the bytes are not one JSON value
     */
    public static JsonTree parse(byte[] utf8) {
        try (JsonParser parser = FACTORY.createParser(utf8)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new MalformedJsonException("no value", 0);
            }
            JsonTree tree = value(parser, first);
            if (parser.nextToken() != null) {
                throw malformed("text after the value", parser);
            }
            return tree;
        } catch (JsonProcessingException e) {
            // The parser reports no position for input beyond its limits.
            JsonLocation at = e.getLocation();
            throw new MalformedJsonException(
                    String.valueOf(e.getOriginalMessage()),
                    at == null ? 0 : offset(at.getCharOffset()));
        } catch (IOException e) {
            throw new IllegalStateException("no I/O on an array", e);
        }
    }

    /** Like {@link #parse}, for what must be an object. */
    public static JsonObject parseObject(byte[] utf8) {
        if (parse(utf8) instanceof JsonObject object) {
            return object;
        }
        throw new MalformedJsonException("not an object", 0);
    }

    private static JsonTree value(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> new JsonText(Utf8.wellFormed(parser.getText()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonNumber(parser.getText());
            case VALUE_TRUE -> JsonBoolean.TRUE;
            case VALUE_FALSE -> JsonBoolean.FALSE;
            case VALUE_NULL -> JsonNull.NULL;
            case END_OBJECT, END_ARRAY, FIELD_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
                    throw malformed("no value", parser);
        };
    }

    private static JsonObject object(JsonParser parser) throws IOException {
        Map<String, JsonTree> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = Utf8.wellFormed(parser.currentName());
            members.put(name, value(parser, parser.nextToken()));
        }
        return new JsonObject(members);
    }

    private static JsonArray array(JsonParser parser) throws IOException {
        List<JsonTree> elements = new ArrayList<>();
        for (JsonToken token = parser.nextToken();
                token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            elements.add(value(parser, token));
        }
        return new JsonArray(elements);
    }

    private static MalformedJsonException malformed(String problem, JsonParser parser) {
        return new MalformedJsonException(
                problem, offset(parser.currentLocation().getCharOffset()));
    }

    /** The parser counts characters, which are fewer than the bytes unless all are ASCII. */
    private static int offset(long characters) {
        return Math.toIntExact(Math.max(0, characters));
    }

    /** Prints compactly, with members in map order and numbers unchanged. */
    public static void append(JsonTree tree, JsonBuffer out) {
        switch (tree) {
            case JsonObject(Map<String, JsonTree> members) -> {
                out.put('{');
                members.forEach((name, value) -> {
                    out.separate();
                    out.string(name);
                    out.put(':');
                    append(value, out);
                });
                out.put('}');
            }
            case JsonArray(List<JsonTree> elements) -> {
                out.put('[');
                for (JsonTree element : elements) {
                    out.separate();
                    append(element, out);
                }
                out.put(']');
            }
            case JsonText(String text) -> out.string(text);
            case JsonNumber(String literal) -> out.put(literal.getBytes(StandardCharsets.US_ASCII));
            case JsonBoolean bool -> out.put(bool == JsonBoolean.TRUE ? TRUE : FALSE);
            case JsonNull _ -> out.put(NULL);
        }
    }
}
