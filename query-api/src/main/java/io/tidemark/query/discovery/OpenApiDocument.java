package io.tidemark.query.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.kubernetes.schema.KindSchemas;
import io.tidemark.query.catalog.CustomSchema;
import io.tidemark.query.catalog.Resource;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The OpenAPI document of one group and version: the paths of its resources, by which clients find
 * a resource's kind, and the schemas of its kinds. Writes are listed with their only response, 405,
 * and with the fieldValidation parameter: clients that miss it would validate manifests locally
 * instead of sending them.
 */
final class OpenApiDocument {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String GVK = "x-kubernetes-group-version-kind";
    private static final List<String> WRITING = List.of("delete", "patch", "put");

    private final ObjectNode root = NODES.objectNode();
    private final ObjectNode schemas = NODES.objectNode();
    private final BuiltInSchemas types = new BuiltInSchemas(schemas);

    private OpenApiDocument() {}

    static ObjectNode of(DefinedVersion version, String gitVersion) {
        OpenApiDocument document = new OpenApiDocument();
        document.root.put("openapi", "3.0.0");
        document.root.putObject("info").put("title", "Kubernetes").put("version", gitVersion);
        ObjectNode paths = document.root.putObject("paths");
        for (DefinedVersion.Defined defined : version.resources()) {
            addPaths(paths, defined.resource());
            document.addKind(defined);
        }
        document.types.finish();
        document.root.putObject("components").set("schemas", document.schemas);
        return document.root;
    }

    private static void addPaths(ObjectNode paths, Resource resource) {
        String base = (resource.group().isEmpty() ? "/api/" : "/apis/") + resource.apiVersion();
        String all = base + "/" + resource.plural();
        String own =
                resource.namespaced() ? base + "/namespaces/{namespace}/" + resource.plural() : all;
        reading(paths, all, "list", resource);
        ObjectNode collection = reading(paths, own, "list", resource);
        writing(collection, "post", resource);
        ObjectNode object = reading(paths, own + "/{name}", "get", resource);
        WRITING.forEach(method -> writing(object, method, resource));
    }

    private static ObjectNode reading(
            ObjectNode paths, String path, String action, Resource resource) {
        ObjectNode item = paths.withObjectProperty(path);
        operation(item, "get", "200", "OK", resource).put("x-kubernetes-action", action);
        return item;
    }

    private static void writing(ObjectNode item, String method, Resource resource) {
        operation(item, method, "405", "This is a read-only mirror", resource)
                .withArrayProperty("parameters")
                .addObject()
                .put("name", "fieldValidation")
                .put("in", "query")
                .putObject("schema")
                .put("type", "string");
    }

    private static ObjectNode operation(
            ObjectNode item, String method, String code, String answer, Resource resource) {
        ObjectNode operation = item.putObject(method);
        operation.putObject("responses").putObject(code).put("description", answer);
        operation.set(GVK, kindOf(resource));
        return operation;
    }

    private static ObjectNode kindOf(Resource resource) {
        return NODES.objectNode()
                .put("group", resource.group())
                .put("kind", resource.kind())
                .put("version", resource.version());
    }

    private void addKind(DefinedVersion.Defined defined) {
        Resource resource = defined.resource();
        Optional<String> type = KindSchemas.typeOf(resource.apiVersion(), resource.kind());
        ObjectNode schema =
                type.isPresent() && !resource.custom() ? types.kind(type.get()) : custom(defined);
        schema.putArray(GVK).add(kindOf(resource));
    }

    /** The definition's schema plus the members that every object has. */
    private ObjectNode custom(DefinedVersion.Defined defined) {
        Resource resource = defined.resource();
        ObjectNode schema =
                defined.definition()
                        .flatMap(json -> CustomSchema.declared(json, resource.version()))
                        .filter(JsonNode::isObject)
                        .<ObjectNode>map(JsonNode::deepCopy)
                        .orElseGet(BuiltInSchemas::object);
        if (!schema.path("properties").isObject()) {
            schema.putObject("properties");
        }
        ObjectNode properties = BuiltInSchemas.properties(schema);
        properties.set("apiVersion", BuiltInSchemas.string(Texts.API_VERSION));
        properties.set("kind", BuiltInSchemas.string(Texts.KIND));
        properties.set("metadata", types.reference(BuiltInSchemas.OBJECT_META));
        String[] domain = resource.group().split("\\.", -1);
        Collections.reverse(Arrays.asList(domain));
        String name = String.join(".", domain) + "." + resource.version() + "." + resource.kind();
        schemas.set(name, schema);
        return schema;
    }

    /** Descriptions of the members that every kind has. */
    private static final class Texts {
        static final String API_VERSION = "The version of the schema of this object.";
        static final String KIND = "What this object is.";
    }
}
