package io.tidemark.query.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The few built-in resources whose stored version differs from a served one in more than its name:
 * events of the newer group, which share the core group's directory, definitions of custom
 * resources, which API servers still write as v1beta1, and autoscalers.
 */
final class Conversions {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Old name and new name of an event's members; the others are named alike. */
    private static final String[][] EVENT = {
        {"involvedObject", "regarding"},
        {"message", "note"},
        {"source", "deprecatedSource"},
        {"firstTimestamp", "deprecatedFirstTimestamp"},
        {"lastTimestamp", "deprecatedLastTimestamp"},
        {"count", "deprecatedCount"},
        {"reportingComponent", "reportingController"},
    };

    /** Order of a newer event's members on the wire. */
    private static final String[] EVENT_ORDER = {
        "kind",
        "apiVersion",
        "metadata",
        "eventTime",
        "series",
        "reportingController",
        "reportingInstance",
        "action",
        "reason",
        "regarding",
        "related",
        "note",
        "type",
        "deprecatedSource",
        "deprecatedFirstTimestamp",
        "deprecatedLastTimestamp",
        "deprecatedCount"
    };

    private Conversions() {}

    /** The way from objects stored as {@code stored} to {@code resource}, if there is one. */
    static Optional<UnaryOperator<byte[]>> between(String stored, Resource resource) {
        return switch (stored + " " + resource.kind() + " " + resource.apiVersion()) {
            case "v1 Event events.k8s.io/v1" -> Optional.of(json -> write(newerEvent(read(json))));
            case "apiextensions.k8s.io/v1beta1 CustomResourceDefinition apiextensions.k8s.io/v1" ->
                    Optional.of(json -> write(definitionV1(read(json))));
            case "autoscaling/v2beta2 HorizontalPodAutoscaler autoscaling/v2" ->
                    Optional.of(json -> write(read(json).put("apiVersion", "autoscaling/v2")));
            case "autoscaling/v2 HorizontalPodAutoscaler autoscaling/v1" ->
                    Optional.of(json -> write(ScalerConversion.toV1(read(json))));
            default -> Optional.empty();
        };
    }

    private static ObjectNode newerEvent(ObjectNode event) {
        for (String[] names : EVENT) {
            JsonNode value = event.remove(names[0]);
            if (value != null) {
                event.set(names[1], value);
            }
        }
        for (String name : new String[] {"reportingController", "reportingInstance"}) {
            if (event.path(name).asText("").isEmpty()) {
                event.remove(name);
            }
        }
        event.put("apiVersion", "events.k8s.io/v1");
        ObjectNode ordered = JSON.createObjectNode();
        for (String name : EVENT_ORDER) {
            JsonNode value = event.remove(name);
            if (value != null) {
                ordered.set(name, value);
            }
        }
        return ordered.setAll(event);
    }

    /** What v1beta1 says once for all versions, v1 says for each. */
    private static ObjectNode definitionV1(ObjectNode definition) {
        definition.put("apiVersion", "apiextensions.k8s.io/v1");
        if (!(definition.path("spec") instanceof ObjectNode spec)) {
            return definition;
        }
        JsonNode schema = spec.remove("validation");
        JsonNode subresources = spec.remove("subresources");
        JsonNode columns = spec.remove("additionalPrinterColumns");
        JsonNode fields = spec.remove("selectableFields");
        JsonNode single = spec.remove("version");
        if (spec.path("versions").isEmpty() && single != null) {
            spec.putArray("versions")
                    .addObject()
                    .put("name", single.asText())
                    .put("served", true)
                    .put("storage", true);
        }
        if (spec.path("preserveUnknownFields").isBoolean()
                && !spec.path("preserveUnknownFields").asBoolean()) {
            spec.remove("preserveUnknownFields");
        }
        for (JsonNode entry : spec.path("versions")) {
            if (entry instanceof ObjectNode version) {
                putAbsent(version, "schema", schema);
                putAbsent(version, "subresources", subresources);
                putAbsent(version, "additionalPrinterColumns", columns);
                putAbsent(version, "selectableFields", fields);
                if (version.path("additionalPrinterColumns") instanceof ArrayNode array) {
                    array.forEach(Conversions::renamePath);
                }
            }
        }
        return definition;
    }

    private static void renamePath(JsonNode column) {
        if (column instanceof ObjectNode object && object.get("JSONPath") != null) {
            object.set("jsonPath", object.remove("JSONPath"));
        }
    }

    private static void putAbsent(ObjectNode version, String name, @Nullable JsonNode value) {
        if (value != null && version.get(name) == null) {
            version.set(name, value.deepCopy());
        }
    }

    private static ObjectNode read(byte[] json) {
        try {
            return JSON.readTree(json) instanceof ObjectNode object
                    ? object
                    : JSON.createObjectNode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] write(ObjectNode document) {
        try {
            return JSON.writeValueAsBytes(document);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
