package io.tidemark.query.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.catalog.Resource;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** The original discovery documents: one for each level. */
final class UnaggregatedDocuments {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private UnaggregatedDocuments() {}

    static ObjectNode coreVersions(Groups groups, String serverAddress) {
        ObjectNode document = NODES.objectNode().put("kind", "APIVersions");
        ArrayNode versions = document.putArray("versions");
        groups.find("").ifPresent(core -> core.versions().forEach(v -> versions.add(v.name())));
        ArrayNode addresses = document.putArray("serverAddressByClientCIDRs");
        if (!serverAddress.isEmpty()) {
            addresses
                    .addObject()
                    .put("clientCIDR", "0.0.0.0/0")
                    .put("serverAddress", serverAddress);
        }
        return document;
    }

    static ObjectNode groupList(Groups groups) {
        ObjectNode document =
                NODES.objectNode().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode list = document.putArray("groups");
        groups.named().forEach(group -> list.add(group(group, false)));
        return document;
    }

    /**
     * @param alone whether it is a complete document, with kind and apiVersion
     */
    static ObjectNode group(Groups.Group group, boolean alone) {
        ObjectNode document = NODES.objectNode();
        if (alone) {
            document.put("kind", "APIGroup").put("apiVersion", "v1");
        }
        document.put("name", group.name());
        ArrayNode versions = document.putArray("versions");
        group.versions().forEach(version -> versions.add(version(version)));
        document.set("preferredVersion", version(group.versions().getFirst()));
        return document;
    }

    private static ObjectNode version(Groups.Version version) {
        return NODES.objectNode()
                .put("groupVersion", version.groupVersion())
                .put("version", version.name());
    }

    static ObjectNode resourceList(String group, Groups.Version version) {
        ObjectNode document = NODES.objectNode().put("kind", "APIResourceList");
        if (!group.isEmpty()) {
            document.put("apiVersion", "v1"); // The core group's document has none.
        }
        document.put("groupVersion", version.groupVersion());
        ArrayNode resources = document.putArray("resources");
        for (ListedResource resource : version.listed()) {
            resources.add(resource(resource));
            resource.parts().forEach(part -> resources.add(part(resource, part)));
        }
        return document;
    }

    private static ObjectNode resource(ListedResource listed) {
        ObjectNode entry =
                NODES.objectNode()
                        .put("name", listed.plural())
                        .put("singularName", listed.singular())
                        .put("namespaced", listed.namespaced())
                        .put("kind", listed.kind());
        addAll(entry, "verbs", listed.verbs());
        listed.stored()
                .ifPresent(resource -> {
                    addNames(entry, resource);
                    entry.put("storageVersionHash", storageVersionHash(resource));
                });
        return entry;
    }

    private static ObjectNode part(ListedResource of, ListedResource.Part part) {
        ObjectNode entry =
                NODES.objectNode()
                        .put("name", of.plural() + "/" + part.name())
                        .put("singularName", "")
                        .put("namespaced", of.namespaced());
        if (part.hasOtherKind()) {
            entry.put("group", part.group()).put("version", part.version());
        }
        entry.put("kind", part.kind());
        addAll(entry, "verbs", part.verbs());
        return entry;
    }

    static void addNames(ObjectNode entry, Resource resource) {
        if (!resource.shortNames().isEmpty()) {
            addAll(entry, "shortNames", resource.shortNames());
        }
        if (!resource.categories().isEmpty()) {
            addAll(entry, "categories", resource.categories());
        }
    }

    static void addAll(ObjectNode entry, String name, List<String> values) {
        ArrayNode array = entry.putArray(name);
        values.forEach(array::add);
    }

    /** The paths listed at {@code /}. */
    static ObjectNode paths(Groups groups) {
        List<String> paths =
                new ArrayList<>(
                        List.of(
                                "/api",
                                "/apis",
                                "/apis/",
                                "/healthz",
                                "/healthz/ping",
                                "/livez",
                                "/livez/ping",
                                "/metrics",
                                "/openapi/v3",
                                "/readyz",
                                "/readyz/catalog",
                                "/readyz/partitions",
                                "/readyz/ping",
                                "/readyz/shutdown",
                                "/version"));
        for (Groups.Group group : groups.groups()) {
            String base = group.name().isEmpty() ? "/api" : "/apis/" + group.name();
            if (!group.name().isEmpty()) {
                paths.add(base);
            }
            group.versions().forEach(version -> paths.add(base + "/" + version.name()));
        }
        paths.sort(null);
        ObjectNode document = NODES.objectNode();
        addAll(document, "paths", paths);
        return document;
    }

    /**
     * Lets clients detect resources that share storage: eight bytes of a hash of the stored kind.
     */
    private static String storageVersionHash(Resource resource) {
        String stored = resource.conversion().storedApiVersion();
        String name = (stored.indexOf('/') < 0 ? "/" : "") + stored + "/" + resource.kind();
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(name.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(Arrays.copyOf(hash, 8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
