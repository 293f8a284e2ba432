package io.tidemark.kubernetes.convert;

import io.tidemark.kubernetes.json.JsonTree;
import io.tidemark.kubernetes.json.JsonTree.JsonArray;
import io.tidemark.kubernetes.json.JsonTree.JsonNull;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An autoscaler's behavior in the format of v1's annotation, where the API server prints its
 * internal type, with Go field names and null for everything absent.
 */
final class AutoscalerBehavior {
    private AutoscalerBehavior() {}

    static JsonTree internal(JsonObject behavior) {
        Map<String, JsonTree> members = new LinkedHashMap<>();
        members.put("ScaleUp", rules(behavior.get("scaleUp")));
        members.put("ScaleDown", rules(behavior.get("scaleDown")));
        return new JsonObject(members);
    }

    private static JsonTree rules(@Nullable JsonTree rules) {
        if (!(rules instanceof JsonObject object)) {
            return JsonNull.NULL;
        }
        Map<String, JsonTree> members = new LinkedHashMap<>();
        members.put("StabilizationWindowSeconds", orNull(object, "stabilizationWindowSeconds"));
        members.put("SelectPolicy", orNull(object, "selectPolicy"));
        List<JsonTree> policies = object.array("policies");
        members.put(
                "Policies",
                policies.isEmpty()
                        ? JsonNull.NULL
                        : new JsonArray(
                                policies.stream().map(AutoscalerBehavior::policy).toList()));
        members.put("Tolerance", orNull(object, "tolerance"));
        return new JsonObject(members);
    }

    private static JsonTree policy(JsonTree policy) {
        if (!(policy instanceof JsonObject object)) {
            return policy;
        }
        Map<String, JsonTree> members = new LinkedHashMap<>();
        members.put("Type", orNull(object, "type"));
        members.put("Value", orNull(object, "value"));
        members.put("PeriodSeconds", orNull(object, "periodSeconds"));
        return new JsonObject(members);
    }

    private static JsonTree orNull(JsonObject object, String name) {
        return Objects.requireNonNullElse(object.get(name), JsonNull.NULL);
    }
}
