package io.tidemark.query.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Horizontal pod autoscalers from v2 to v1, which knows one metric only: the use of CPU. The API
 * server puts all else into annotations, and so do we.
 */
final class ScalerConversion {
    private static final String ANNOTATION = "autoscaling.alpha.kubernetes.io/";
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ScalerConversion() {}

    static ObjectNode toV1(ObjectNode scaler) {
        JsonNode spec = scaler.path("spec");
        JsonNode status = scaler.path("status");
        ObjectNode converted = NODES.objectNode();
        converted.put("kind", "HorizontalPodAutoscaler").put("apiVersion", "autoscaling/v1");
        converted.set("metadata", metadata(scaler));
        ObjectNode newSpec = converted.putObject("spec");
        copy(spec, "scaleTargetRef", newSpec, "scaleTargetRef");
        copy(spec, "minReplicas", newSpec, "minReplicas");
        newSpec.put("maxReplicas", spec.path("maxReplicas").asLong());
        ObjectNode newStatus = converted.putObject("status");
        copy(status, "observedGeneration", newStatus, "observedGeneration");
        copy(status, "lastScaleTime", newStatus, "lastScaleTime");
        newStatus.put("currentReplicas", status.path("currentReplicas").asLong());
        newStatus.put("desiredReplicas", status.path("desiredReplicas").asLong());
        for (JsonNode metric : spec.path("metrics")) {
            copyUse(metric, "target", newSpec, "targetCPUUtilizationPercentage");
        }
        for (JsonNode metric : status.path("currentMetrics")) {
            copyUse(metric, "current", newStatus, "currentCPUUtilizationPercentage");
        }
        return converted;
    }

    private static void copyUse(JsonNode metric, String place, ObjectNode to, String name) {
        JsonNode use = metric.path("resource").path(place).path("averageUtilization");
        if (isCpu(metric) && use.isNumber()) {
            to.set(name, use);
        }
    }

    private static boolean isCpu(JsonNode metric) {
        return metric.path("type").asText("").equals("Resource")
                && metric.path("resource").path("name").asText("").equals("cpu");
    }

    private static JsonNode metadata(ObjectNode scaler) {
        ObjectNode annotations = NODES.objectNode();
        JsonNode given = scaler.path("metadata").path("annotations");
        given.properties().forEach(entry -> annotations.set(entry.getKey(), entry.getValue()));
        ArrayNode metrics = NODES.arrayNode();
        for (JsonNode metric : scaler.path("spec").path("metrics")) {
            boolean isTarget =
                    metric.path("resource").path("target").path("averageUtilization").isNumber();
            if (!isCpu(metric) || !isTarget) {
                metrics.add(metric(metric, "target"));
            }
        }
        ArrayNode current = NODES.arrayNode();
        scaler.path("status")
                .path("currentMetrics")
                .forEach(metric -> current.add(metric(metric, "current")));
        annotate(annotations, "behavior", scaler.path("spec").path("behavior"));
        annotate(annotations, "conditions", scaler.path("status").path("conditions"));
        annotate(annotations, "current-metrics", current);
        annotate(annotations, "metrics", metrics);
        JsonNode metadata = scaler.path("metadata").deepCopy();
        if (!annotations.isEmpty() && metadata instanceof ObjectNode object) {
            object.set("annotations", annotations);
        }
        return metadata;
    }

    private static void annotate(ObjectNode annotations, String name, JsonNode value) {
        if (!value.isEmpty()) {
            annotations.put(ANNOTATION + name, value.toString());
        }
    }

    /**
     * A metric in v1's form, which flattens names and values.
     *
     * @param place {@code target} or {@code current}: what the values are, and how they are called
     */
    private static ObjectNode metric(JsonNode metric, String place) {
        String type = metric.path("type").asText("");
        String member =
                type.isEmpty() ? "" : Character.toLowerCase(type.charAt(0)) + type.substring(1);
        JsonNode from = metric.path(member);
        JsonNode values = from.path(place);
        ObjectNode flat = NODES.objectNode();
        switch (type) {
            case "Resource", "ContainerResource" -> {
                copy(from, "name", flat, "name");
                copy(values, "averageUtilization", flat, place + "AverageUtilization");
                copy(values, "averageValue", flat, place + "AverageValue");
                copy(from, "container", flat, "container");
            }
            case "Object" -> {
                copy(from, "describedObject", flat, "target");
                copy(from.path("metric"), "name", flat, "metricName");
                copy(values, "value", flat, place + "Value");
                copy(from.path("metric"), "selector", flat, "selector");
                copy(values, "averageValue", flat, "averageValue");
            }
            default -> {
                copy(from.path("metric"), "name", flat, "metricName");
                copy(
                        from.path("metric"),
                        "selector",
                        flat,
                        type.equals("External") ? "metricSelector" : "selector");
                copy(values, "value", flat, place + "Value");
                copy(values, "averageValue", flat, place + "AverageValue");
            }
        }
        ObjectNode converted = NODES.objectNode().put("type", type);
        converted.set(member, flat);
        return converted;
    }

    private static void copy(JsonNode from, String name, ObjectNode to, String newName) {
        JsonNode value = from.path(name);
        if (!value.isMissingNode() && !value.isNull()) {
            to.set(newName, value);
        }
    }
}
