package io.tidemark.query.representation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.Resource.Column;
import io.tidemark.query.catalog.Resource.Conversion;
import io.tidemark.query.catalog.Subresource;
import io.tidemark.query.json.GoJson;
import io.tidemark.query.table.CellInput;
import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An {@code autoscaling/v1} Scale, derived from the scaled object: the current and desired number
 * of replicas. Never stored, but rendered like other objects.
 */
public final class ScaleObject {
    /** The resource it is rendered as. */
    public static final Resource RESOURCE =
            new Resource(
                    "autoscaling",
                    "v1",
                    "scales",
                    "scale",
                    "Scale",
                    true,
                    false,
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(
                            column("Name", "string", BuiltInResources.text("name"), "fn:name"),
                            column(
                                    "Desired",
                                    "integer",
                                    "replicas is the desired number of instances for the scaled"
                                            + " object.",
                                    ".spec.replicas|0"),
                            column(
                                    "Available",
                                    "integer",
                                    "replicas is the actual number of observed instances of the"
                                            + " scaled object.",
                                    ".status.replicas|0"),
                            column("Age", "string", BuiltInResources.text("created"), "fn:age")),
                    Bytes.EMPTY,
                    new Conversion("autoscaling/v1", false));

    private static final List<String> METADATA =
            List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp");
    private static final String REVISION = "\"resourceVersion\":\"";

    private ScaleObject() {}

    /** Empty when the object cannot be served, or a custom one has no spec replicas field. */
    public static Optional<StoredObject> of(
            Resource resource, StoredObject object, Subresource.Scale scale) {
        return ServedObject.json(resource, object, object.revision())
                .map(GoJson::read)
                .filter(tree ->
                        !resource.custom() || CellInput.at(tree, scale.specReplicas()).isNumber())
                .map(tree -> stored(object, scale(tree, scale)));
    }

    private static ObjectNode scale(JsonNode tree, Subresource.Scale paths) {
        ObjectNode scale = GoJson.NODES.objectNode();
        scale.put("kind", RESOURCE.kind()).put("apiVersion", RESOURCE.apiVersion());
        ObjectNode metadata = scale.putObject("metadata");
        for (String name : METADATA) {
            if (tree.path("metadata").hasNonNull(name)) {
                metadata.set(name, tree.path("metadata").path(name));
            }
        }
        int desired = CellInput.at(tree, paths.specReplicas()).asInt();
        ObjectNode spec = scale.putObject("spec");
        if (desired != 0) {
            spec.put("replicas", desired);
        }
        ObjectNode status = scale.putObject("status");
        status.put("replicas", CellInput.at(tree, paths.statusReplicas()).asInt());
        String selector =
                paths.selector().isEmpty() ? "" : selector(CellInput.at(tree, paths.selector()));
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        return scale;
    }

    /** Formats a selector: depending on the kind a text, a map of labels or a LabelSelector. */
    private static String selector(JsonNode selector) {
        if (!selector.isObject()) {
            return selector.asText("");
        }
        boolean labels = !selector.isEmpty() && selector.elements().next().isTextual();
        return CellInput.selector(
                labels ? GoJson.NODES.objectNode().set("matchLabels", selector) : selector);
    }

    private static StoredObject stored(StoredObject object, ObjectNode scale) {
        byte[] json = GoJson.write(scale);
        int revisionAt = new String(json, StandardCharsets.ISO_8859_1).indexOf(REVISION);
        return StoredObject.encode(
                object.key(),
                Bytes.wrap(json),
                ContentType.KUBERNETES_JSON,
                object.revision(),
                object.createRevision(),
                object.version(),
                object.lease(),
                "",
                Map.of(),
                Map.of(),
                revisionAt < 0 ? 0 : revisionAt + REVISION.length());
    }

    private static Column column(String name, String type, String description, String path) {
        return new Column(name, type, "", description, 0, path);
    }
}
