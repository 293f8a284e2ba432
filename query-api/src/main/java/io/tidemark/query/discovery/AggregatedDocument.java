package io.tidemark.query.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.catalog.Resource;
import java.util.List;

/** Aggregated discovery: one document, which newer clients request first. */
final class AggregatedDocument {
    private AggregatedDocument() {}

    /**
     * @param core whether the document is for the core group only; else for all others
     */
    static ObjectNode of(Groups groups, boolean core) {
        ObjectNode document =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("kind", "APIGroupDiscoveryList")
                        .put("apiVersion", "apidiscovery.k8s.io/v2");
        document.putObject("metadata");
        ArrayNode items = document.putArray("items");
        List<Groups.Group> shown = core ? groups.find("").stream().toList() : groups.named();
        for (Groups.Group group : shown) {
            ObjectNode item = items.addObject();
            ObjectNode metadata = item.putObject("metadata");
            if (!group.name().isEmpty()) {
                metadata.put("name", group.name());
            }
            ArrayNode versions = item.putArray("versions");
            group.versions().forEach(version -> addVersion(versions.addObject(), version));
        }
        return document;
    }

    private static void addVersion(ObjectNode entry, Groups.Version version) {
        entry.put("version", version.name());
        ArrayNode resources = entry.putArray("resources");
        version.resources().forEach(resource -> addResource(resources.addObject(), resource));
        entry.put("freshness", "Current");
    }

    /** For built-in resources the API server leaves the kind's group and version empty. */
    private static void addResource(ObjectNode entry, Resource resource) {
        entry.put("resource", resource.plural());
        entry.putObject("responseKind")
                .put("group", resource.custom() ? resource.group() : "")
                .put("version", resource.custom() ? resource.version() : "")
                .put("kind", resource.kind());
        entry.put("scope", resource.namespaced() ? "Namespaced" : "Cluster");
        entry.put("singularResource", resource.singular());
        UnaggregatedDocuments.addAll(entry, "verbs", UnaggregatedDocuments.VERBS);
        UnaggregatedDocuments.addNames(entry, resource);
    }
}
