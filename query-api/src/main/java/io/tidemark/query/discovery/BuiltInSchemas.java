package io.tidemark.query.discovery;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.kubernetes.schema.KindSchemas;
import io.tidemark.kubernetes.schema.KindSchemas.Member;
import io.tidemark.kubernetes.schema.KindSchemas.Value;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * OpenAPI schemas of built-in types, under the API server's names. They contain members and types
 * but no descriptions.
 */
final class BuiltInSchemas {
    /** The metadata of every object. */
    static final String OBJECT_META = "meta.v1.ObjectMeta";

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** Shown by {@code kubectl explain}. */
    private static final String UNDESCRIBED =
            "This mirror knows names and types of fields. What they mean, the cluster's own API"
                    + " server explains.";

    private static final String QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";
    private static final String INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";

    /** API groups whose package prefix differs from {@code io.k8s.api}. */
    private static final Map<String, String> FOLDERS =
            Map.of(
                    "meta", "io.k8s.apimachinery.pkg.apis.meta",
                    "apiextensions", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions",
                    "apiregistration", "io.k8s.kube-aggregator.pkg.apis.apiregistration");

    private final ObjectNode schemas;
    private final Set<String> known = new HashSet<>();
    private final ArrayDeque<String> pending = new ArrayDeque<>();

    /**
     * @param schemas receives the schemas
     */
    BuiltInSchemas(ObjectNode schemas) {
        this.schemas = schemas;
    }

    /** A type's name in a document. */
    static String nameOf(String type) {
        String api = type.substring(0, type.indexOf('.'));
        return FOLDERS.getOrDefault(api, "io.k8s.api." + api) + type.substring(api.length());
    }

    /** A reference to a type, whose schema {@link #finish} adds. */
    ObjectNode reference(String type) {
        if (known.add(type)) {
            pending.add(type);
        }
        return referTo(nameOf(type));
    }

    /** Adds and returns the schema of a kind. */
    ObjectNode kind(String type) {
        known.add(type);
        ObjectNode schema = object();
        properties(schema).set("apiVersion", string(""));
        properties(schema).set("kind", string(""));
        addMembers(schema, type);
        schemas.set(nameOf(type), schema);
        return schema;
    }

    /** Adds all referenced types, transitively. */
    void finish() {
        for (String type = pending.poll(); type != null; type = pending.poll()) {
            ObjectNode schema = object();
            addMembers(schema, type);
            schemas.set(nameOf(type), schema);
        }
    }

    private void addMembers(ObjectNode schema, String type) {
        schema.put("description", UNDESCRIBED);
        for (Member member : KindSchemas.members(type)) {
            ObjectNode value = value(member.value());
            ObjectNode shown =
                    switch (member.count()) {
                        case ONE -> value;
                        case LIST -> NODES.objectNode().put("type", "array").set("items", value);
                        case MAP ->
                                NODES.objectNode()
                                        .put("type", "object")
                                        .set("additionalProperties", value);
                    };
            properties(schema).set(member.name(), shown);
        }
    }

    private ObjectNode value(Value value) {
        return switch (value) {
            case Value.Scalar(String type, String format) -> {
                ObjectNode scalar = NODES.objectNode().put("type", type);
                yield format.isEmpty() ? scalar : scalar.put("format", format);
            }
            case Value.Message(String type) -> reference(type);
            case Value.Quantity _ -> {
                schemas.set(QUANTITY, alternatives("string", "number"));
                yield referTo(QUANTITY);
            }
            case Value.IntOrString _ -> {
                schemas.set(
                        INT_OR_STRING,
                        alternatives("integer", "string").put("format", "int-or-string"));
                yield referTo(INT_OR_STRING);
            }
            case Value.Any _ ->
                    NODES.objectNode()
                            .put("type", "object")
                            .put("x-kubernetes-preserve-unknown-fields", true);
        };
    }

    static ObjectNode object() {
        ObjectNode schema = NODES.objectNode().put("type", "object");
        schema.putObject("properties");
        return schema;
    }

    static ObjectNode properties(ObjectNode schema) {
        return schema.withObjectProperty("properties");
    }

    static ObjectNode string(String description) {
        ObjectNode schema = NODES.objectNode();
        if (!description.isEmpty()) {
            schema.put("description", description);
        }
        return schema.put("type", "string");
    }

    private static ObjectNode alternatives(String... types) {
        ObjectNode schema = NODES.objectNode();
        for (String type : List.of(types)) {
            schema.withArrayProperty("oneOf").addObject().put("type", type);
        }
        return schema;
    }

    private static ObjectNode referTo(String name) {
        return NODES.objectNode().put("$ref", "#/components/schemas/" + name);
    }
}
