package io.tidemark.kubernetes.structural;

import io.tidemark.kubernetes.json.JsonTree;
import io.tidemark.kubernetes.json.JsonTree.JsonArray;
import io.tidemark.kubernetes.json.JsonTree.JsonNull;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Drops members that a schema does not specify, and nulls that it does not allow. */
final class Pruning {
    private static final Set<String> META = Set.of("apiVersion", "kind", "metadata");

    private Pruning() {}

    /** Drops members without a property, except below a preserving schema. */
    static JsonTree prune(JsonTree value, @Nullable StructuralSchema schema) {
        if (schema != null && schema.preserving()) {
            return preserve(value, schema);
        }
        return switch (value) {
            case JsonObject object ->
                    schema == null ? JsonTree.EMPTY_OBJECT : pruneMembers(object, schema);
            case JsonArray(List<JsonTree> elements) -> {
                StructuralSchema items = schema == null ? null : schema.items();
                yield new JsonArray(elements.stream().map(e -> prune(e, items)).toList());
            }
            default -> value;
        };
    }

    private static JsonObject pruneMembers(JsonObject object, StructuralSchema schema) {
        Map<String, JsonTree> kept = new LinkedHashMap<>();
        object.members()
                .forEach((name, value) -> {
                    StructuralSchema property = schema.properties().get(name);
                    if (schema.embedded() && META.contains(name)) {
                        kept.put(name, value);
                    } else if (property != null || schema.additional()) {
                        kept.put(name, prune(value, schema.member(name)));
                    }
                });
        return new JsonObject(kept);
    }

    /** Keeps all members here, and prunes those with a schema. */
    private static JsonTree preserve(JsonTree value, @Nullable StructuralSchema schema) {
        if (schema == null) {
            return value;
        }
        return switch (value) {
            case JsonObject object -> preserveMembers(object, schema);
            case JsonArray(List<JsonTree> elements) ->
                    new JsonArray(elements.stream().map(e -> preserve(e, schema.items())).toList());
            default -> value;
        };
    }

    private static JsonObject preserveMembers(JsonObject object, StructuralSchema schema) {
        Map<String, JsonTree> kept = new LinkedHashMap<>();
        object.members()
                .forEach((name, value) -> {
                    boolean meta = schema.embedded() && META.contains(name);
                    boolean known = schema.properties().containsKey(name) || schema.additional();
                    kept.put(name, meta || !known ? value : prune(value, schema.member(name)));
                });
        return new JsonObject(kept);
    }

    /** Drops nulls that are neither allowed nor replaced by a default. */
    static JsonTree dropNulls(JsonTree value, @Nullable StructuralSchema schema) {
        if (schema == null) {
            return value;
        }
        return switch (value) {
            case JsonObject(Map<String, JsonTree> members) -> {
                Map<String, JsonTree> kept = new LinkedHashMap<>();
                members.forEach((name, member) -> {
                    StructuralSchema known = schema.member(name);
                    if (member != JsonNull.NULL || known == null || !known.dropsNull()) {
                        kept.put(name, dropNulls(member, known));
                    }
                });
                yield new JsonObject(kept);
            }
            case JsonArray(List<JsonTree> elements) ->
                    new JsonArray(
                            elements.stream().map(e -> dropNulls(e, schema.items())).toList());
            default -> value;
        };
    }
}
