package io.tidemark.kubernetes.structural;

import io.tidemark.json.JsonBuffer;
import io.tidemark.json.JsonTooLargeException;
import io.tidemark.json.MalformedJsonException;
import io.tidemark.kubernetes.json.GoMaps;
import io.tidemark.kubernetes.json.JsonTree;
import io.tidemark.kubernetes.json.JsonTree.JsonNumber;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import io.tidemark.kubernetes.json.JsonTree.JsonText;
import io.tidemark.kubernetes.json.JsonTrees;
import io.tidemark.record.Bytes;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the objects of one custom resource, by rules compiled from its definition. Immutable and
 * thread-safe; a changed definition needs a new instance.
 */
public final class CustomResources {
    private final String group;
    private final String kind;
    private final Map<String, StructuralSchema> schemas;
    private final Set<String> declared;
    private final boolean preserveUnknownFields;
    private final boolean convertible;
    private final int maxJsonBytes;

    private CustomResources(JsonObject spec, int maxJsonBytes) {
        this.group = spec.text("group");
        this.kind = spec.object("names").text("kind");
        this.preserveUnknownFields = spec.isTrue("preserveUnknownFields");
        this.convertible = !spec.object("conversion").text("strategy").equals("Webhook");
        this.maxJsonBytes = maxJsonBytes;
        Set<String> withSchema = new HashSet<>();
        Map<String, StructuralSchema> byVersion = new LinkedHashMap<>();
        for (JsonTree version : spec.array("versions")) {
            if (version instanceof JsonObject object) {
                if (object.object("schema").get("openAPIV3Schema") instanceof JsonObject) {
                    withSchema.add(object.text("name"));
                }
                byVersion.put(
                        object.text("name"),
                        StructuralSchema.compile(
                                object.object("schema").object("openAPIV3Schema")));
            }
        }
        this.schemas = Map.copyOf(byVersion);
        this.declared = Set.copyOf(withSchema);
    }

    /**
     * @param definition a CustomResourceDefinition as JSON of apiextensions.k8s.io/v1
     * @param maxJsonBytes maximum size of a served object
     * @throws MalformedJsonException when it is not a JSON object
     */
    public static CustomResources compile(Bytes definition, int maxJsonBytes) {
        JsonObject object = JsonTrees.parseObject(definition.array());
        return new CustomResources(object.object("spec"), maxJsonBytes);
    }

    /** The API group, such as {@code example.com}. */
    public String group() {
        return group;
    }

    public String kind() {
        return kind;
    }

    /**
     * Whether the definition has a schema for a version. Definitions that an API server accepted
     * have one, unless they preserve all unknown members.
     */
    public boolean declares(String version) {
        return declared.contains(version);
    }

    /**
     * Whether reading changes only the resourceVersion of an object stored in this version, as the
     * schema preserves everything and sets no defaults. Then the stored bytes can be served.
     */
    public boolean servesAsStored(String version) {
        StructuralSchema schema = schemas.get(version);
        return schema != null && schema.preserving() && schema.hasNoOtherKeywords();
    }

    /** The stored object as served in the version in which it is stored. */
    public Bytes served(byte[] stored, long resourceVersion) {
        JsonObject object = JsonTrees.parseObject(stored);
        return print(read(object), resourceVersion);
    }

    /**
     * The stored object as served in {@code version}, for example {@code v1beta1}. Empty if the
     * definition converts by a webhook, which Tidemark does not call, or has no such version.
     *
     * @param resourceVersion printed as {@code metadata.resourceVersion}; 0 keeps the stored one,
     *     if any
     * @throws MalformedJsonException when {@code stored} is not a JSON object
     * @throws JsonTooLargeException when defaults make it larger than the limit
     */
    public Optional<Bytes> served(byte[] stored, String version, long resourceVersion) {
        JsonObject object = JsonTrees.parseObject(stored);
        String wanted = group + "/" + version;
        if (object.text("apiVersion").equals(wanted)) {
            return Optional.of(print(read(object), resourceVersion));
        }
        if (!convertible || !schemas.containsKey(version)) {
            return Optional.empty();
        }
        Map<String, JsonTree> converted = new LinkedHashMap<>(read(object).members());
        converted.put("apiVersion", new JsonText(wanted));
        return Optional.of(
                print(coerce(new JsonObject(converted), schemas.get(version)), resourceVersion));
    }

    /** Like decoding from etcd: coerces, then defaults, by the schema of the stored version. */
    private JsonObject read(JsonObject stored) {
        String apiVersion = stored.text("apiVersion");
        StructuralSchema schema = schemas.get(apiVersion.substring(apiVersion.indexOf('/') + 1));
        JsonObject coerced = withGeneration(coerce(stored, schema));
        return Defaulting.apply(coerced, schema) instanceof JsonObject object ? object : coerced;
    }

    private JsonObject coerce(JsonObject object, @Nullable StructuralSchema known) {
        StructuralSchema schema = known == null ? StructuralSchema.EMPTY : known;
        JsonTree tree = object;
        if (!preserveUnknownFields) {
            tree = Pruning.dropNulls(Pruning.prune(tree, schema.asRoot()), schema);
        }
        tree = ObjectMetadata.coerceEmbedded(tree, schema);
        Map<String, JsonTree> members =
                new LinkedHashMap<>(tree instanceof JsonObject(var kept) ? kept : Map.of());
        // The server controls kind, version and metadata, regardless of the schema.
        for (String name : new String[] {"kind", "apiVersion"}) {
            if (object.get(name) instanceof JsonText text) {
                members.put(name, text);
            }
        }
        if (object.get("metadata") instanceof JsonObject metadata) {
            members.put("metadata", ObjectMetadata.coerce(metadata));
        }
        return new JsonObject(members);
    }

    /** Adds a generation, which objects of very old servers lack. */
    private static JsonObject withGeneration(JsonObject object) {
        if (!(object.get("metadata") instanceof JsonObject(Map<String, JsonTree> old))
                || old.containsKey("generation")) {
            return object;
        }
        Map<String, JsonTree> metadata = new LinkedHashMap<>(old);
        metadata.put("generation", new JsonNumber("1"));
        Map<String, JsonTree> members = new LinkedHashMap<>(object.members());
        members.put("metadata", new JsonObject(metadata));
        return new JsonObject(members);
    }

    private Bytes print(JsonObject object, long resourceVersion) {
        JsonObject served = object;
        if (resourceVersion > 0) {
            Map<String, JsonTree> metadata =
                    new LinkedHashMap<>(object.object("metadata").members());
            metadata.put("resourceVersion", new JsonText(Long.toString(resourceVersion)));
            Map<String, JsonTree> members = new LinkedHashMap<>(object.members());
            members.put("metadata", new JsonObject(metadata));
            served = new JsonObject(members);
        }
        JsonBuffer out = new JsonBuffer(4096, maxJsonBytes);
        GoMaps.append(served, out);
        return Bytes.wrap(out.toByteArray());
    }
}
