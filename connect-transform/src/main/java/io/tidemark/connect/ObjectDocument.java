package io.tidemark.connect;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A put as a document without a schema: the Kubernetes object itself. */
final class ObjectDocument {
    private ObjectDocument() {}

    /**
     * The object as maps, lists, texts, numbers and booleans. A value that is no object becomes a
     * document of {@code key}, {@code revision}, {@code raw_value} (without that of an encrypted
     * Secret) and {@code unreadable}.
     *
     * @param key its key as text
     * @throws UncheckedIOException when a value that should be JSON is not
     */
    static Map<String, @Nullable Object> of(Change.Put put, String key) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        if (put.contentType() == ContentType.KUBERNETES_JSON) {
            try (JsonParser parser = ObjectJson.FACTORY.createParser(put.value().array())) {
                if (parser.nextToken() == JsonToken.START_OBJECT) {
                    fill(document, parser);
                    return document;
                }
            } catch (IOException e) {
                throw ObjectFields.notJson(e);
            }
        }
        document.put("key", key);
        document.put("revision", put.revision());
        if (!put.isEncrypted()) {
            document.put("raw_value", put.value().array());
        }
        if (!put.unreadable().isEmpty()) {
            document.put("unreadable", put.unreadable());
        }
        return document;
    }

    private static void fill(Map<String, @Nullable Object> map, JsonParser parser)
            throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            map.put(name, value(parser));
        }
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                fill(map, parser);
                yield map;
            }
            case START_ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(parser));
                }
                yield list;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NUMBER_INT -> integer(parser);
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            default -> null;
        };
    }

    /** A long; a number beyond its range, which Connect has no type for, as a double. */
    private static Object integer(JsonParser parser) throws IOException {
        return switch (parser.getNumberType()) {
            case INT, LONG -> parser.getLongValue();
            default -> parser.getDoubleValue();
        };
    }
}
