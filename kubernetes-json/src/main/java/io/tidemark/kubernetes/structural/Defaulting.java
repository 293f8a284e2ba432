package io.tidemark.kubernetes.structural;

import io.tidemark.kubernetes.json.JsonTree;
import io.tidemark.kubernetes.json.JsonTree.JsonArray;
import io.tidemark.kubernetes.json.JsonTree.JsonNull;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Sets a schema's defaults for members that are absent, or null without being nullable. */
final class Defaulting {
    private Defaulting() {}

    static JsonTree apply(JsonTree value, @Nullable StructuralSchema schema) {
        if (schema == null) {
            return value;
        }
        return switch (value) {
            case JsonObject object -> members(object, schema);
            case JsonArray(List<JsonTree> elements) ->
                    new JsonArray(elements.stream().map(e -> valueOf(e, schema.items())).toList());
            default -> value;
        };
    }

    private static JsonObject members(JsonObject object, StructuralSchema schema) {
        Map<String, JsonTree> members = new LinkedHashMap<>(object.members());
        schema.properties()
                .forEach((name, property) -> {
                    if (property.defaultValue() != null) {
                        members.putIfAbsent(name, property.defaultValue());
                    }
                });
        members.replaceAll((name, value) -> valueOf(value, schema.member(name)));
        return new JsonObject(members);
    }

    private static JsonTree valueOf(JsonTree value, @Nullable StructuralSchema schema) {
        if (schema == null) {
            return value;
        }
        boolean replaced = value == JsonNull.NULL && !schema.nullable();
        JsonTree now =
                replaced ? Objects.requireNonNullElse(schema.defaultValue(), JsonNull.NULL) : value;
        return apply(now, schema);
    }
}
