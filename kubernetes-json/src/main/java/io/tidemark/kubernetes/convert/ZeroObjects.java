package io.tidemark.kubernetes.convert;

import io.tidemark.json.JsonBuffer;
import io.tidemark.kubernetes.json.JsonTree;
import io.tidemark.kubernetes.json.JsonTree.JsonNumber;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import io.tidemark.kubernetes.json.JsonTree.JsonText;
import io.tidemark.kubernetes.json.JsonTrees;
import io.tidemark.kubernetes.schema.MessageType;
import io.tidemark.kubernetes.schema.Schema;
import io.tidemark.kubernetes.schema.SchemaTables;
import io.tidemark.record.Bytes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The form in which an API server prints an empty object: the members that its type always prints,
 * without defaults, which are set only on reading. Thread-safe.
 */
public final class ZeroObjects {
    private static final int MAX_JSON_BYTES = 64 << 10;

    /**
     * An API server creates such an object in its internal type, where numbers are not optional,
     * and converts it: members that are optional in the served version become 0.
     */
    private static final Map<String, List<String>> NUMBERS_IN_ITS_OWN_FORM =
            Map.of(
                    "apps/v1 Deployment", List.of("spec", "replicas"),
                    "apps/v1 StatefulSet", List.of("spec", "replicas"),
                    "apps/v1 ReplicaSet", List.of("spec", "replicas"));

    /** A field of the internal type that the served version has only as an annotation. */
    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

    private final Schema schema = SchemaTables.shared();

    /**
     * Kind, apiVersion and the members of the type, as compact JSON.
     *
     * @return empty for a kind without a table
     */
    public Optional<Bytes> of(String apiVersion, String kind) {
        MessageType type = schema.kind(apiVersion, kind);
        if (type == null) {
            return Optional.empty();
        }
        Map<String, JsonTree> given = new LinkedHashMap<>();
        String name = apiVersion + " " + kind;
        List<String> number = NUMBERS_IN_ITS_OWN_FORM.getOrDefault(name, List.of());
        if (!number.isEmpty()) {
            given.put(number.getFirst(), nested(number, new JsonNumber("0")));
        }
        if (name.equals("apps/v1 DaemonSet")) {
            given.put(
                    "metadata",
                    nested(
                            List.of("metadata", "annotations", TEMPLATE_GENERATION),
                            new JsonText("0")));
        }
        Map<String, JsonTree> members = new LinkedHashMap<>();
        members.put("kind", new JsonText(kind));
        members.put("apiVersion", new JsonText(apiVersion));
        members.putAll(Conformer.conform(new JsonObject(given), type).members());
        JsonBuffer out = new JsonBuffer(512, MAX_JSON_BYTES);
        JsonTrees.append(new JsonObject(members), out);
        return Optional.of(Bytes.wrap(out.toByteArray()));
    }

    /** The value of a path's first member that leads to a leaf. */
    private static JsonTree nested(List<String> path, JsonTree leaf) {
        JsonTree value = leaf;
        for (int i = path.size() - 1; i > 0; i--) {
            value = new JsonObject(Map.of(path.get(i), value));
        }
        return value;
    }
}
