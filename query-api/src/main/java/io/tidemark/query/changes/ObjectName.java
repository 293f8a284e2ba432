package io.tidemark.query.changes;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.catalog.Resource;
import java.util.stream.Stream;

/**
 * An object by its names.
 *
 * @param resource such as {@code deployments.apps}; empty when the kind is not a known resource
 * @param namespace empty for none
 * @param uid empty when it is not known
 * @param cut whether of a name only the beginning is shown, which may be another object's name
 */
public record ObjectName(
        String apiVersion,
        String kind,
        String resource,
        String namespace,
        String name,
        String uid,
        boolean cut) {
    static ObjectName of(Resource resource, JsonNode metadata) {
        return cut(
                resource.apiVersion(),
                resource.kind(),
                resource.qualifiedName(),
                metadata.path("namespace").asText(),
                metadata.path("name").asText(),
                metadata.path("uid").asText());
    }

    /** Names are content, and have no bound. */
    static ObjectName cut(
            String apiVersion,
            String kind,
            String resource,
            String namespace,
            String name,
            String uid) {
        return new ObjectName(
                CutText.cut(apiVersion),
                CutText.cut(kind),
                resource,
                CutText.cut(namespace),
                CutText.cut(name),
                CutText.cut(uid),
                Stream.of(apiVersion, kind, namespace, name, uid).anyMatch(CutText::isLong));
    }

    /** Characters of all texts. */
    int length() {
        return apiVersion.length()
                + kind.length()
                + resource.length()
                + namespace.length()
                + name.length()
                + uid.length();
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
