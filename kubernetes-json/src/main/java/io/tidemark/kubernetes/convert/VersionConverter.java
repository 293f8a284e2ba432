package io.tidemark.kubernetes.convert;

import io.tidemark.json.JsonBuffer;
import io.tidemark.json.MalformedJsonException;
import io.tidemark.kubernetes.KubernetesDecoder;
import io.tidemark.kubernetes.json.JsonTree;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import io.tidemark.kubernetes.json.JsonTree.JsonText;
import io.tidemark.kubernetes.json.JsonTrees;
import io.tidemark.kubernetes.schema.Schema;
import io.tidemark.kubernetes.schema.SchemaTables;
import io.tidemark.record.Bytes;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Converts objects from the stored version to another that an API server also serves. Pure: compact
 * JSON in, compact JSON out, including {@code metadata.resourceVersion}. Thread-safe.
 */
public final class VersionConverter {
    private static final int MAX_JSON_BYTES = KubernetesDecoder.DEFAULT_MAX_JSON_BYTES;

    private final Map<Key, Conversion> conversions;
    private final Schema schema;

    /** The source and target of a conversion. */
    private record Key(String kind, String from, String to) {}

    /** Renames members; {@link Conformer} restores order and removes empty ones. */
    @FunctionalInterface
    interface Conversion {
        JsonObject convert(JsonObject object, Schema schema);
    }

    /** Shares the schema tables, which the first use in a process loads. */
    public VersionConverter() {
        schema = SchemaTables.shared();
        conversions = conversions();
    }

    private static Map<Key, Conversion> conversions() {
        Map<Key, Conversion> all = new HashMap<>();
        all.put(
                new Key(
                        "CustomResourceDefinition",
                        "apiextensions.k8s.io/v1beta1",
                        "apiextensions.k8s.io/v1"),
                CrdConversion::toV1);
        all.put(new Key("Event", "v1", "events.k8s.io/v1"), EventConversion::toEventsGroup);
        all.put(new Key("Event", "events.k8s.io/v1", "v1"), EventConversion::toCore);
        all.put(
                new Key("HorizontalPodAutoscaler", "autoscaling/v2beta2", "autoscaling/v2"),
                (object, _) -> object);
        all.put(
                new Key("HorizontalPodAutoscaler", "autoscaling/v2", "autoscaling/v1"),
                AutoscalerConversion::toV1);
        // Only v1 can leave out a number of shares, which is 0 in v1beta3.
        addOneForm(
                all,
                "PriorityLevelConfiguration",
                "flowcontrol.apiserver.k8s.io/v1",
                "flowcontrol.apiserver.k8s.io/v1beta3");
        addOneForm(
                all,
                "LeaseCandidate",
                "coordination.k8s.io/v1beta1",
                "coordination.k8s.io/v1alpha2");
        for (String kind : DeviceConversion.KINDS) {
            for (String from : DeviceConversion.VERSIONS) {
                for (String to : DeviceConversion.VERSIONS) {
                    all.put(
                            new Key(kind, from, to),
                            (object, _) -> DeviceConversion.convert(object, from, to));
                }
            }
        }
        return Map.copyOf(all);
    }

    /** Both directions between two versions whose members have the same names. */
    private static void addOneForm(
            Map<Key, Conversion> all, String kind, String one, String other) {
        all.put(new Key(kind, one, other), (object, _) -> object);
        all.put(new Key(kind, other, one), (object, _) -> object);
    }

    /**
     * The served version of a stored one. They differ only for custom resource definitions, which
     * an API server stores as v1beta1, a version that it no longer serves.
     */
    public static String preferred(String storedApiVersion, String kind) {
        boolean definition =
                kind.equals("CustomResourceDefinition")
                        && storedApiVersion.equals("apiextensions.k8s.io/v1beta1");
        return definition ? "apiextensions.k8s.io/v1" : storedApiVersion;
    }

    /** Whether {@link #convert} has a result for such an object; true for equal versions. */
    public boolean canConvert(String kind, String fromApiVersion, String toApiVersion) {
        return fromApiVersion.equals(toApiVersion)
                || conversions.containsKey(new Key(kind, fromApiVersion, toApiVersion));
    }

    /**
     * The object in another version; empty if there is no conversion.
     *
     * @throws MalformedJsonException when {@code json} is not a JSON object
     */
    public Optional<Bytes> convert(Bytes json, String toApiVersion) {
        JsonObject object = JsonTrees.parseObject(json.array());
        String kind = object.text("kind");
        if (object.text("apiVersion").equals(toApiVersion)) {
            return Optional.of(json);
        }
        Conversion conversion =
                conversions.get(new Key(kind, object.text("apiVersion"), toApiVersion));
        if (conversion == null) {
            return Optional.empty();
        }
        JsonObject body =
                Conformer.conform(
                        conversion.convert(object, schema),
                        Objects.requireNonNull(schema.kind(toApiVersion, kind)));
        Map<String, JsonTree> members = new LinkedHashMap<>();
        members.put("kind", new JsonText(kind));
        members.put("apiVersion", new JsonText(toApiVersion));
        members.putAll(body.members());
        JsonBuffer out = new JsonBuffer(json.length() + 256, MAX_JSON_BYTES);
        JsonTrees.append(new JsonObject(members), out);
        return Optional.of(Bytes.wrap(out.toByteArray()));
    }
}
