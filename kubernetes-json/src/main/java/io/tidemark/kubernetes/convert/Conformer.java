package io.tidemark.kubernetes.convert;

import io.tidemark.kubernetes.json.JsonTree;
import io.tidemark.kubernetes.json.JsonTree.JsonArray;
import io.tidemark.kubernetes.json.JsonTree.JsonBoolean;
import io.tidemark.kubernetes.json.JsonTree.JsonNull;
import io.tidemark.kubernetes.json.JsonTree.JsonNumber;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import io.tidemark.kubernetes.json.JsonTree.JsonText;
import io.tidemark.kubernetes.schema.Field;
import io.tidemark.kubernetes.schema.Field.Shape;
import io.tidemark.kubernetes.schema.MessageType;
import io.tidemark.kubernetes.schema.ValueType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Normalizes a JSON object to its type's printed form: members in the table's order, those always
 * printed added, empty and unknown ones removed. Conversions therefore only rename members.
 */
final class Conformer {
    private Conformer() {}

    static JsonObject conform(JsonObject object, MessageType type) {
        Map<String, JsonTree> members = new LinkedHashMap<>();
        conform(object, type, members);
        return new JsonObject(members);
    }

    private static void conform(
            JsonObject object, MessageType type, Map<String, JsonTree> members) {
        for (int slot = 0; slot < type.fieldCount(); slot++) {
            Field field = type.field(slot);
            if (field.shape() == Shape.INLINE) {
                conform(object, Objects.requireNonNull(field.message()), members);
                continue;
            }
            JsonTree value = member(field, object.get(field.jsonName()));
            if (value != null) {
                members.put(field.jsonName(), value);
            }
        }
    }

    /** The field's printed value; null to leave it out. */
    private static @Nullable JsonTree member(Field field, @Nullable JsonTree value) {
        boolean absent = value == null || value == JsonNull.NULL;
        return switch (field.printed()) {
            case ALWAYS -> absent ? zero(field) : value(field, value);
            case ALWAYS_OR_NULL -> absent ? JsonNull.NULL : value(field, value);
            case WHEN_PRESENT -> absent ? null : value(field, value);
            case UNLESS_EMPTY -> absent || isEmpty(value) ? null : value(field, value);
        };
    }

    private static JsonTree value(Field field, @Nullable JsonTree value) {
        JsonTree present = Objects.requireNonNull(value);
        MessageType message = field.type() == ValueType.MESSAGE ? field.message() : null;
        if (message == null) {
            return present;
        }
        return switch (field.shape()) {
            case ONE, INLINE -> element(present, message);
            case LIST ->
                    present instanceof JsonArray(List<JsonTree> elements)
                            ? new JsonArray(
                                    elements.stream().map(e -> element(e, message)).toList())
                            : present;
            case MAP -> present instanceof JsonObject map ? map(map, message) : present;
        };
    }

    private static JsonTree element(JsonTree value, MessageType message) {
        return value instanceof JsonObject object ? conform(object, message) : value;
    }

    private static JsonObject map(JsonObject map, MessageType message) {
        Map<String, JsonTree> entries = new LinkedHashMap<>();
        map.members().forEach((key, value) -> entries.put(key, element(value, message)));
        return new JsonObject(entries);
    }

    private static boolean isEmpty(@Nullable JsonTree value) {
        return switch (Objects.requireNonNull(value)) {
            case JsonObject(Map<String, JsonTree> members) -> members.isEmpty();
            case JsonArray(List<JsonTree> elements) -> elements.isEmpty();
            case JsonText(String text) -> text.isEmpty();
            case JsonNumber(String literal) -> literal.equals("0");
            case JsonBoolean bool -> bool == JsonBoolean.FALSE;
            case JsonNull _ -> true;
        };
    }

    private static JsonTree zero(Field field) {
        if (field.shape() != Shape.ONE) {
            return JsonNull.NULL;
        }
        return switch (field.type()) {
            case STRING, RESOURCE_VERSION -> new JsonText("");
            case BOOL -> JsonBoolean.FALSE;
            case INT32, INT64, DOUBLE, INT_OR_STRING -> new JsonNumber("0");
            case DURATION -> new JsonText("0s");
            case QUANTITY -> new JsonText("0");
            case BYTES, TIME, MICRO_TIME, RAW_JSON, STRINGS -> JsonNull.NULL;
            case SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS -> JsonNull.NULL;
            case MESSAGE -> conform(JsonTree.EMPTY_OBJECT, Objects.requireNonNull(field.message()));
        };
    }
}
