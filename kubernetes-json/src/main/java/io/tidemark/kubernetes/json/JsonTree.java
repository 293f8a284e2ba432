package io.tidemark.kubernetes.json;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as values, for what cannot be done on bytes: moving members about. Immutable as far as the
 * collections handed in are.
 */
public sealed interface JsonTree {

    /** Members in the map's order. */
    record JsonObject(Map<String, JsonTree> members) implements JsonTree {
        public @Nullable JsonTree get(String name) {
            return members.get(name);
        }

        /** The member when it is an object, else an empty one. */
        public JsonObject object(String name) {
            return members.get(name) instanceof JsonObject object ? object : EMPTY_OBJECT;
        }

        /** The member's elements when it is an array, else none. */
        public List<JsonTree> array(String name) {
            return members.get(name) instanceof JsonArray array ? array.elements() : List.of();
        }

        /** The member when it is a string, else "". */
        public String text(String name) {
            return members.get(name) instanceof JsonText(String text) ? text : "";
        }

        public boolean isTrue(String name) {
            return members.get(name) == JsonBoolean.TRUE;
        }
    }

    record JsonArray(List<JsonTree> elements) implements JsonTree {}

    record JsonText(String text) implements JsonTree {}

    /** A number by its text, since the text is what is printed. */
    record JsonNumber(String literal) implements JsonTree {}

    enum JsonBoolean implements JsonTree {
        TRUE,
        FALSE
    }

    enum JsonNull implements JsonTree {
        NULL
    }

    JsonObject EMPTY_OBJECT = new JsonObject(Map.of());

    static JsonBoolean of(boolean value) {
        return value ? JsonBoolean.TRUE : JsonBoolean.FALSE;
    }
}
