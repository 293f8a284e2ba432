package io.tidemark.kubernetes.structural;

import io.tidemark.kubernetes.json.JsonTree;
import io.tidemark.kubernetes.json.JsonTree.JsonBoolean;
import io.tidemark.kubernetes.json.JsonTree.JsonNull;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an OpenAPI schema that affect the reading of a stored custom resource. Without
 * validation, as stored objects were valid when written.
 *
 * @param properties by name
 * @param additional whether a member without a property is kept; its value is then read by {@code
 *     additionalSchema}, or loses all members if that is null
 * @param items the schema of an array's elements
 * @param defaultValue null for none
 * @param preserving {@code x-kubernetes-preserve-unknown-fields}
 * @param embedded {@code x-kubernetes-embedded-resource}
 */
record StructuralSchema(
        Map<String, StructuralSchema> properties,
        boolean additional,
        @Nullable StructuralSchema additionalSchema,
        @Nullable StructuralSchema items,
        @Nullable JsonTree defaultValue,
        boolean nullable,
        boolean preserving,
        boolean embedded) {

    static final StructuralSchema EMPTY = compile(JsonTree.EMPTY_OBJECT);

    /** From an {@code openAPIV3Schema}. */
    static StructuralSchema compile(JsonObject schema) {
        Map<String, StructuralSchema> properties = new HashMap<>();
        schema.object("properties")
                .members()
                .forEach((name, property) -> {
                    if (property instanceof JsonObject object) {
                        properties.put(name, compile(object));
                    }
                });
        JsonTree defaultValue = schema.get("default");
        return new StructuralSchema(
                Map.copyOf(properties),
                schema.get("additionalProperties") != null,
                compileMember(schema, "additionalProperties"),
                compileMember(schema, "items"),
                defaultValue == JsonNull.NULL ? null : defaultValue,
                schema.isTrue("nullable"),
                schema.get("x-kubernetes-preserve-unknown-fields") == JsonBoolean.TRUE,
                schema.isTrue("x-kubernetes-embedded-resource"));
    }

    private static @Nullable StructuralSchema compileMember(JsonObject schema, String name) {
        return schema.get(name) instanceof JsonObject object ? compile(object) : null;
    }

    /** For an object's root, whose kind, version and metadata need no property. */
    StructuralSchema asRoot() {
        return embedded
                ? this
                : new StructuralSchema(
                        properties,
                        additional,
                        additionalSchema,
                        items,
                        defaultValue,
                        nullable,
                        preserving,
                        true);
    }

    /** Whether this schema neither prunes nor sets a default at any depth. */
    boolean hasNoOtherKeywords() {
        return properties.isEmpty() && additionalSchema == null && items == null;
    }

    /** The schema of a member; null for none. */
    @Nullable StructuralSchema member(String name) {
        StructuralSchema property = properties.get(name);
        return property == null ? additionalSchema : property;
    }

    /** Whether a null is neither allowed nor replaced by a default. */
    boolean dropsNull() {
        return !nullable && defaultValue == null;
    }
}
