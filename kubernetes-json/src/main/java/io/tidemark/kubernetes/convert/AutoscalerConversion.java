package io.tidemark.kubernetes.convert;

import io.tidemark.json.JsonBuffer;
import io.tidemark.kubernetes.KubernetesDecoder;
import io.tidemark.kubernetes.json.JsonTree;
import io.tidemark.kubernetes.json.JsonTree.JsonArray;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import io.tidemark.kubernetes.json.JsonTree.JsonText;
import io.tidemark.kubernetes.json.JsonTrees;
import io.tidemark.kubernetes.schema.MessageType;
import io.tidemark.kubernetes.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Converts autoscalers from v2 to v1. v1 has one metric, CPU utilization; the API server puts
 * everything else into annotations as JSON.
 */
final class AutoscalerConversion {
    private static final String METRICS = "autoscaling.alpha.kubernetes.io/metrics";
    private static final String CURRENT_METRICS = "autoscaling.alpha.kubernetes.io/current-metrics";
    private static final String CONDITIONS = "autoscaling.alpha.kubernetes.io/conditions";
    private static final String BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";
    private static final String PACKAGE = "autoscaling.v1.";

    private AutoscalerConversion() {}

    static JsonObject toV1(JsonObject autoscaler, Schema schema) {
        JsonObject spec = autoscaler.object("spec");
        JsonObject status = autoscaler.object("status");
        Map<String, JsonTree> newSpec = new HashMap<>(spec.members());
        put(newSpec, "targetCPUUtilizationPercentage", cpu(spec.array("metrics"), "target"));
        Map<String, JsonTree> newStatus = new HashMap<>(status.members());
        put(
                newStatus,
                "currentCPUUtilizationPercentage",
                cpu(status.array("currentMetrics"), "current"));
        Map<String, JsonTree> members = new HashMap<>(autoscaler.members());
        members.put("spec", new JsonObject(newSpec));
        members.put("status", new JsonObject(newStatus));
        members.put("metadata", metadata(autoscaler.object("metadata"), spec, status, schema));
        return new JsonObject(members);
    }

    private static void put(Map<String, JsonTree> members, String name, @Nullable JsonTree value) {
        if (value != null) {
            members.put(name, value);
        }
    }

    /** Target or current utilization of the first CPU resource metric. */
    private static @Nullable JsonTree cpu(List<JsonTree> metrics, String value) {
        for (JsonTree metric : metrics) {
            if (metric instanceof JsonObject object && isCpu(object)) {
                return object.object("resource").object(value).get("averageUtilization");
            }
        }
        return null;
    }

    private static boolean isCpu(JsonObject metric) {
        return metric.text("type").equals("Resource")
                && metric.object("resource").text("name").equals("cpu");
    }

    private static JsonObject metadata(
            JsonObject metadata, JsonObject spec, JsonObject status, Schema schema) {
        Map<String, JsonTree> annotations = new TreeMap<>(metadata.object("annotations").members());
        annotations.keySet().removeAll(List.of(METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR));
        List<JsonTree> others =
                spec.array("metrics").stream()
                        .filter(metric -> !saysItAll(metric))
                        .map(metric -> converted(metric, AutoscalerConversion::metricSpec))
                        .toList();
        annotate(annotations, METRICS, others, schema, "MetricSpec");
        List<JsonTree> current =
                status.array("currentMetrics").stream()
                        .map(metric -> converted(metric, AutoscalerConversion::metricStatus))
                        .toList();
        annotate(annotations, CURRENT_METRICS, current, schema, "MetricStatus");
        annotate(
                annotations,
                CONDITIONS,
                status.array("conditions"),
                schema,
                "HorizontalPodAutoscalerCondition");
        if (spec.get("behavior") instanceof JsonObject behavior) {
            annotations.put(BEHAVIOR, new JsonText(print(AutoscalerBehavior.internal(behavior))));
        }
        Map<String, JsonTree> members = new HashMap<>(metadata.members());
        members.put("annotations", new JsonObject(annotations));
        return new JsonObject(members);
    }

    /** Whether v1's field fully represents the metric. */
    private static boolean saysItAll(JsonTree metric) {
        return metric instanceof JsonObject object
                && isCpu(object)
                && object.object("resource").object("target").get("averageUtilization") != null;
    }

    private static JsonTree converted(JsonTree metric, UnaryOperator<JsonObject> conversion) {
        return metric instanceof JsonObject object ? conversion.apply(object) : metric;
    }

    private static void annotate(
            Map<String, JsonTree> annotations,
            String name,
            List<JsonTree> values,
            Schema schema,
            String type) {
        if (values.isEmpty()) {
            return;
        }
        MessageType message = Objects.requireNonNull(schema.messages().get(PACKAGE + type));
        List<JsonTree> conformed =
                values.stream()
                        .map(value -> converted(value, o -> Conformer.conform(o, message)))
                        .toList();
        annotations.put(name, new JsonText(print(new JsonArray(conformed))));
    }

    private static String print(JsonTree tree) {
        JsonBuffer out = new JsonBuffer(256, KubernetesDecoder.DEFAULT_MAX_JSON_BYTES);
        JsonTrees.append(tree, out);
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }

    private static JsonObject metricSpec(JsonObject metric) {
        return metric(metric, "target", "target", "targetAverageUtilization", "targetAverageValue");
    }

    private static JsonObject metricStatus(JsonObject metric) {
        return metric(
                metric, "current", "current", "currentAverageUtilization", "currentAverageValue");
    }

    /**
     * One metric with v1's names: {@code object}, {@code pods}, {@code resource}, … of v2 hold the
     * metric's name and its values one level deeper.
     */
    private static JsonObject metric(
            JsonObject metric,
            String values,
            String prefix,
            String utilization,
            String averageValue) {
        Map<String, JsonTree> members = new HashMap<>();
        metric.members()
                .forEach((name, source) ->
                        members.put(
                                name,
                                source instanceof JsonObject object
                                        ? source(
                                                name,
                                                object,
                                                object.object(values),
                                                prefix,
                                                utilization,
                                                averageValue)
                                        : source));
        return new JsonObject(members);
    }

    private static JsonObject source(
            String kind,
            JsonObject source,
            JsonObject values,
            String prefix,
            String utilization,
            String averageValue) {
        Map<String, JsonTree> members = new HashMap<>();
        put(members, "name", source.get("name"));
        put(members, "container", source.get("container"));
        put(members, "target", source.get("describedObject"));
        put(members, "metricName", source.object("metric").get("name"));
        String selector = kind.equals("external") ? "metricSelector" : "selector";
        put(members, selector, source.object("metric").get("selector"));
        put(members, prefix + "Value", values.get("value"));
        put(members, utilization, values.get("averageUtilization"));
        put(
                members,
                kind.equals("object") ? "averageValue" : averageValue,
                values.get("averageValue"));
        return new JsonObject(members);
    }
}
