package io.tidemark.query.changes;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.catalog.Resource;

/**
 * An object by its names.
 *
 * @param resource such as {@code deployments.apps}; empty when the kind is not a known resource
 * @param namespace empty for none
 * @param uid empty when it is not known
 */
public record ObjectName(
        String apiVersion,
        String kind,
        String resource,
        String namespace,
        String name,
        String uid) {
    static ObjectName of(Resource resource, JsonNode metadata) {
        return new ObjectName(
                resource.apiVersion(),
                resource.kind(),
                resource.qualifiedName(),
                metadata.path("namespace").asText(),
                metadata.path("name").asText(),
                metadata.path("uid").asText());
    }

    /** The group of the {@code apiVersion}; empty for the core group. */
    public String group() {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    /** Such as {@code deployments.apps market/storefront}. */
    String text() {
        String type = resource.isEmpty() ? kind : resource;
        return type + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
    }
}
