package io.tidemark.kubernetes.json;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as a tree, for transformations that move members. Immutable if the given collections are.
 */
public sealed interface JsonTree {

    /** Members in the map's order. */
    record JsonObject(Map<String, JsonTree> members) implements JsonTree {
        public @Nullable JsonTree get(String name) {
            return members.get(name);
        }

        /** The member if it is an object, else an empty one. */
        public JsonObject object(String name) {
            return members.get(name) instanceof JsonObject object ? object : EMPTY_OBJECT;
        }

        /** The member's elements if it is an array, else none. */
        public List<JsonTree> array(String name) {
            return members.get(name) instanceof JsonArray array ? array.elements() : List.of();
        }

        /** The member if it is a string, else "". */
        public String text(String name) {
            return members.get(name) instanceof JsonText(String text) ? text : "";
        }

        /** False for a member that is missing or no boolean. */
        public boolean isTrue(String name) {
            return members.get(name) == JsonBoolean.TRUE;
        }
    }

    record JsonArray(List<JsonTree> elements) implements JsonTree {}

    record JsonText(String text) implements JsonTree {}

    /** A number as text, which is printed unchanged. */
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
