package io.tidemark.kubernetes.structural;

import io.tidemark.kubernetes.json.JsonTree;
import io.tidemark.kubernetes.json.JsonTree.JsonBoolean;
import io.tidemark.kubernetes.json.JsonTree.JsonNull;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What of an OpenAPI schema decides how a stored custom resource is read. Validation plays no part:
 * what is stored was valid once.
 *
 * @param properties by name
 * @param additional whether a member without a property is kept; its value is then read by {@code
 *     additionalSchema}, or loses all members when that is null
 * @param items the schema of an array's elements
 * @param defaultValue null when there is none
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

    /** The same for the root of an object, whose kind, version and metadata need no property. */
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

    /** Whether there is nothing below this that could prune or set a default. */
    boolean hasNoOtherKeywords() {
        return properties.isEmpty() && additionalSchema == null && items == null;
    }

    /** What a member is read by; null when nothing says. */
    @Nullable StructuralSchema member(String name) {
        StructuralSchema property = properties.get(name);
        return property == null ? additionalSchema : property;
    }

    /** Whether a null is neither allowed nor going to be replaced. */
    boolean dropsNull() {
        return !nullable && defaultValue == null;
    }
}
