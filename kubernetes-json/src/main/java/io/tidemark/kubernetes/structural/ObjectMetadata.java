package io.tidemark.kubernetes.structural;

import io.tidemark.kubernetes.json.JsonTree;
import io.tidemark.kubernetes.json.JsonTree.JsonArray;
import io.tidemark.kubernetes.json.JsonTree.JsonBoolean;
import io.tidemark.kubernetes.json.JsonTree.JsonNull;
import io.tidemark.kubernetes.json.JsonTree.JsonNumber;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import io.tidemark.kubernetes.json.JsonTree.JsonText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts an object's metadata like the API server's typed round trip: drops unknown and empty
 * members and those of a wrong type.
 */
final class ObjectMetadata {
    private static final Map<String, Class<? extends JsonTree>> MEMBERS =
            Map.ofEntries(
                    Map.entry("name", JsonText.class),
                    Map.entry("generateName", JsonText.class),
                    Map.entry("namespace", JsonText.class),
                    Map.entry("selfLink", JsonText.class),
                    Map.entry("uid", JsonText.class),
                    Map.entry("resourceVersion", JsonText.class),
                    Map.entry("generation", JsonNumber.class),
                    Map.entry("creationTimestamp", JsonText.class),
                    Map.entry("deletionTimestamp", JsonText.class),
                    Map.entry("deletionGracePeriodSeconds", JsonNumber.class),
                    Map.entry("labels", JsonObject.class),
                    Map.entry("annotations", JsonObject.class),
                    Map.entry("ownerReferences", JsonArray.class),
                    Map.entry("finalizers", JsonArray.class),
                    Map.entry("managedFields", JsonArray.class));

    private ObjectMetadata() {}

    static JsonObject coerce(JsonObject metadata) {
        Map<String, JsonTree> kept = new LinkedHashMap<>();
        metadata.members()
                .forEach((name, value) -> {
                    Class<? extends JsonTree> type = MEMBERS.get(name);
                    if (type != null && type.isInstance(value) && !isEmpty(name, value)) {
                        kept.put(name, value);
                    }
                });
        return new JsonObject(kept);
    }

    private static boolean isEmpty(String name, JsonTree value) {
        return switch (value) {
            case JsonText(String text) -> text.isEmpty();
            case JsonObject(Map<String, JsonTree> members) -> members.isEmpty();
            case JsonArray(List<JsonTree> elements) -> elements.isEmpty();
            case JsonNumber(String literal) -> name.equals("generation") && literal.equals("0");
            case JsonNull _ -> true;
            case JsonBoolean _ -> false;
        };
    }

    /** The same for every embedded object that the schema declares. */
    static JsonTree coerceEmbedded(JsonTree value, @Nullable StructuralSchema schema) {
        if (schema == null) {
            return value;
        }
        return switch (value) {
            case JsonObject(Map<String, JsonTree> members) -> {
                Map<String, JsonTree> coerced = new LinkedHashMap<>();
                members.forEach((name, member) -> {
                    JsonTree kept = member;
                    if (schema.embedded()
                            && name.equals("metadata")
                            && member instanceof JsonObject metadata) {
                        kept = coerce(metadata);
                    }
                    boolean dropped =
                            schema.embedded()
                                    && (name.equals("kind") || name.equals("apiVersion"))
                                    && !(member instanceof JsonText);
                    if (!dropped) {
                        coerced.put(name, coerceEmbedded(kept, schema.member(name)));
                    }
                });
                yield new JsonObject(coerced);
            }
            case JsonArray(List<JsonTree> elements) ->
                    new JsonArray(
                            elements.stream().map(e -> coerceEmbedded(e, schema.items())).toList());
            default -> value;
        };
    }
}
