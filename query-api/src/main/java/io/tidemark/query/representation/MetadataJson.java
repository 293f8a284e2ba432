package io.tidemark.query.representation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.json.GoJson;
import io.tidemark.view.object.MetadataOrder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Metadata of objects and lists in the API server's order. Custom resources are stored with their
 * members sorted, but where only metadata is shown, all kinds look alike.
 */
final class MetadataJson {
    private MetadataJson() {}

    /** The members of an object's metadata that every kind has. */
    static ObjectNode ordered(JsonNode metadata) {
        ObjectNode ordered = members(metadata, MetadataOrder.OBJECT);
        if (ordered.path("annotations") instanceof ObjectNode annotations) {
            ObjectNode kept =
                    annotations.deepCopy().remove(List.of(MetadataOrder.DERIVED_ANNOTATION));
            if (kept.isEmpty()) {
                ordered.remove("annotations");
            } else {
                ordered.set("annotations", kept);
            }
        }
        for (String map : List.of("labels", "annotations")) {
            if (ordered.path(map) instanceof ObjectNode entries) {
                ordered.set(map, sorted(entries));
            }
        }
        orderElements(ordered, "ownerReferences", MetadataOrder.OWNER);
        orderElements(ordered, "managedFields", MetadataOrder.MANAGER);
        return ordered;
    }

    /** As PartialObjectMetadata. */
    static ObjectNode partial(JsonNode metadata, String apiVersion) {
        ObjectNode partial = GoJson.NODES.objectNode();
        partial.put("kind", "PartialObjectMetadata").put("apiVersion", apiVersion);
        partial.set("metadata", ordered(metadata));
        return partial;
    }

    static ObjectNode ofList(Renderer.ListMeta meta) {
        ObjectNode metadata = GoJson.NODES.objectNode();
        metadata.put("resourceVersion", meta.resourceVersion());
        if (!meta.continueToken().isEmpty()) {
            metadata.put("continue", meta.continueToken());
        }
        if (meta.remainingItemCount() > 0) {
            metadata.put("remainingItemCount", meta.remainingItemCount());
        }
        return metadata;
    }

    static ObjectNode ofBookmark(long resourceVersion, boolean initialEventsEnd) {
        ObjectNode metadata = GoJson.NODES.objectNode();
        metadata.put("resourceVersion", Long.toString(resourceVersion));
        if (initialEventsEnd) {
            metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
        }
        return metadata;
    }

    static ObjectNode sorted(ObjectNode object) {
        Map<String, JsonNode> members = new TreeMap<>();
        object.properties().forEach(entry -> members.put(entry.getKey(), entry.getValue()));
        ObjectNode sorted = GoJson.NODES.objectNode();
        members.forEach(sorted::set);
        return sorted;
    }

    private static void orderElements(ObjectNode object, String name, List<String> order) {
        if (object.path(name) instanceof ArrayNode elements) {
            ArrayNode ordered = GoJson.NODES.arrayNode();
            elements.forEach(element -> ordered.add(members(element, order)));
            object.set(name, ordered);
        }
    }

    private static ObjectNode members(JsonNode object, List<String> names) {
        ObjectNode members = GoJson.NODES.objectNode();
        for (String name : names) {
            JsonNode value = object.get(name);
            if (value != null && !value.isNull()) {
                members.set(name, value);
            }
        }
        return members;
    }
}
