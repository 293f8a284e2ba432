package io.tidemark.query.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What an object of a built-in kind shows when nothing of it is set, besides its metadata: the API
 * server writes some members always. Bookmarks are such objects.
 */
final class EmptyObjects {
    private static final String POD_TEMPLATE = "{\"metadata\":{},\"spec\":{\"containers\":null}}";

    private EmptyObjects() {}

    /** Adds those members to {@code object}, which holds kind and metadata. */
    static ObjectNode complete(ObjectNode object) {
        String rest =
                switch (object.path("kind").asText()) {
                    case "Pod" -> "{\"spec\":{\"containers\":null},\"status\":{}}";
                    case "Namespace" -> "{\"spec\":{},\"status\":{}}";
                    case "Service" -> "{\"spec\":{},\"status\":{\"loadBalancer\":{}}}";
                    case "PersistentVolumeClaim" -> "{\"spec\":{\"resources\":{}},\"status\":{}}";
                    case "Lease" -> "{\"spec\":{}}";
                    case "Deployment" ->
                            "{\"spec\":{\"selector\":null,\"template\":"
                                    + POD_TEMPLATE
                                    + ",\"strategy\":{}},\"status\":{}}";
                    case "ReplicaSet" ->
                            "{\"spec\":{\"selector\":null,\"template\":"
                                    + POD_TEMPLATE
                                    + "},\"status\":{\"replicas\":0}}";
                    case "Job" -> "{\"spec\":{\"template\":" + POD_TEMPLATE + "},\"status\":{}}";
                    default -> "{}";
                };
        JsonNode members = GoJson.read(GoJson.utf8(rest));
        members.properties().forEach(entry -> object.set(entry.getKey(), entry.getValue()));
        return object;
    }
}
