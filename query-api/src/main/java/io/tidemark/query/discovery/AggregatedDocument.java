package io.tidemark.query.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.catalog.Resource;
import java.util.List;
import java.util.Optional;

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
        version.listed().forEach(listed -> addResource(resources.addObject(), listed));
        entry.put("freshness", "Current");
    }

    private static void addResource(ObjectNode entry, ListedResource listed) {
        Optional<Resource> custom = listed.stored().filter(Resource::custom);
        String group = custom.map(Resource::group).orElse("");
        String version = custom.map(Resource::version).orElse("");
        entry.put("resource", listed.plural());
        addKind(entry, group, version, listed.kind());
        entry.put("scope", listed.namespaced() ? "Namespaced" : "Cluster");
        entry.put("singularResource", listed.singular());
        UnaggregatedDocuments.addAll(entry, "verbs", listed.verbs());
        listed.stored().ifPresent(resource -> UnaggregatedDocuments.addNames(entry, resource));
        if (!listed.parts().isEmpty()) {
            ArrayNode parts = entry.putArray("subresources");
            for (ListedResource.Part part : listed.parts()) {
                ObjectNode added = parts.addObject().put("subresource", part.name());
                boolean other = part.hasOtherKind();
                addKind(
                        added,
                        other ? part.group() : group,
                        other ? part.version() : version,
                        part.kind());
                UnaggregatedDocuments.addAll(added, "verbs", part.verbs());
            }
        }
    }

    /** For built-in resources the API server leaves the kind's group and version empty. */
    private static void addKind(ObjectNode entry, String group, String version, String kind) {
        entry.putObject("responseKind")
                .put("group", group)
                .put("version", version)
                .put("kind", kind);
    }
}
