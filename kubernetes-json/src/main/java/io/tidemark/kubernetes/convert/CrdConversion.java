package io.tidemark.kubernetes.convert;

import io.tidemark.kubernetes.json.JsonTree;
import io.tidemark.kubernetes.json.JsonTree.JsonArray;
import io.tidemark.kubernetes.json.JsonTree.JsonBoolean;
import io.tidemark.kubernetes.json.JsonTree.JsonNumber;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import io.tidemark.kubernetes.json.JsonTree.JsonText;
import io.tidemark.kubernetes.schema.Schema;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Converts custom resource definitions from v1beta1, the stored version, to v1. v1beta1 may hold
 * settings of all versions once, in the spec; v1 repeats them in each version. The API server also
 * fills in v1beta1's defaults.
 */
final class CrdConversion {
    /** Names of shared settings in the spec, and their names in a version. */
    private static final Map<String, String> SHARED =
            Map.of(
                    "validation", "schema",
                    "subresources", "subresources",
                    "additionalPrinterColumns", "additionalPrinterColumns",
                    "selectableFields", "selectableFields");

    private CrdConversion() {}

    static JsonObject toV1(JsonObject definition, Schema schema) {
        JsonObject spec = definition.object("spec");
        List<JsonObject> versions = versions(spec);
        Map<String, JsonTree> newSpec = new HashMap<>(spec.members());
        newSpec.put("names", names(spec.object("names")));
        newSpec.put("versions", new JsonArray(List.copyOf(versions)));
        newSpec.put("conversion", conversion(spec.object("conversion")));
        newSpec.putIfAbsent("preserveUnknownFields", JsonBoolean.TRUE);
        if (spec.text("scope").isEmpty()) {
            newSpec.put("scope", new JsonText("Namespaced"));
        }
        Map<String, JsonTree> members = new HashMap<>(definition.members());
        members.put("spec", new JsonObject(newSpec));
        members.put("status", status(definition.object("status"), versions));
        return new JsonObject(members);
    }

    private static List<JsonObject> versions(JsonObject spec) {
        List<JsonTree> listed = spec.array("versions");
        if (listed.isEmpty() && !spec.text("version").isEmpty()) {
            listed =
                    List.of(
                            new JsonObject(
                                    Map.of(
                                            "name", new JsonText(spec.text("version")),
                                            "served", JsonBoolean.TRUE,
                                            "storage", JsonBoolean.TRUE)));
        }
        return listed.stream()
                .filter(JsonObject.class::isInstance)
                .map(version -> version((JsonObject) version, spec))
                .toList();
    }

    private static JsonObject version(JsonObject version, JsonObject spec) {
        Map<String, JsonTree> members = new HashMap<>(version.members());
        SHARED.forEach((inSpec, inVersion) -> {
            JsonTree shared = spec.get(inSpec);
            if (shared != null) {
                members.put(inVersion, shared);
            }
        });
        if (members.get("additionalPrinterColumns") instanceof JsonArray(List<JsonTree> columns)) {
            members.put(
                    "additionalPrinterColumns",
                    new JsonArray(columns.stream().map(CrdConversion::column).toList()));
        }
        return new JsonObject(members);
    }

    private static JsonTree column(JsonTree column) {
        if (!(column instanceof JsonObject(Map<String, JsonTree> old))) {
            return column;
        }
        Map<String, JsonTree> members = new HashMap<>(old);
        JsonTree path = members.remove("JSONPath");
        members.put("jsonPath", Objects.requireNonNullElse(path, new JsonText("")));
        return new JsonObject(members);
    }

    private static JsonObject names(JsonObject names) {
        Map<String, JsonTree> members = new HashMap<>(names.members());
        String kind = names.text("kind");
        if (names.text("singular").isEmpty()) {
            members.put("singular", new JsonText(kind.toLowerCase(Locale.ROOT)));
        }
        if (names.text("listKind").isEmpty() && !kind.isEmpty()) {
            members.put("listKind", new JsonText(kind + "List"));
        }
        return new JsonObject(members);
    }

    private static JsonObject conversion(JsonObject conversion) {
        if (conversion.members().isEmpty()) {
            return new JsonObject(Map.of("strategy", new JsonText("None")));
        }
        Map<String, JsonTree> webhook = new HashMap<>();
        JsonTree reviewVersions = conversion.get("conversionReviewVersions");
        if (reviewVersions == null && conversion.text("strategy").equals("Webhook")) {
            reviewVersions = new JsonArray(List.of(new JsonText("v1beta1")));
        }
        if (reviewVersions != null) {
            webhook.put("conversionReviewVersions", reviewVersions);
        }
        if (conversion.get("webhookClientConfig") instanceof JsonObject client) {
            webhook.put("clientConfig", withPort(client));
        }
        Map<String, JsonTree> members = new HashMap<>(conversion.members());
        if (!webhook.isEmpty()) {
            members.put("webhook", new JsonObject(webhook));
        }
        return new JsonObject(members);
    }

    private static JsonObject withPort(JsonObject client) {
        if (!(client.get("service") instanceof JsonObject(Map<String, JsonTree> old))) {
            return client;
        }
        Map<String, JsonTree> service = new HashMap<>(old);
        service.putIfAbsent("port", new JsonNumber("443"));
        Map<String, JsonTree> members = new HashMap<>(client.members());
        members.put("service", new JsonObject(service));
        return new JsonObject(members);
    }

    private static JsonObject status(JsonObject status, List<JsonObject> versions) {
        if (!status.array("storedVersions").isEmpty()) {
            return status;
        }
        Map<String, JsonTree> members = new HashMap<>(status.members());
        versions.stream()
                .filter(version -> version.isTrue("storage"))
                .findFirst()
                .ifPresent(version ->
                        members.put(
                                "storedVersions",
                                new JsonArray(List.of(new JsonText(version.text("name"))))));
        return new JsonObject(members);
    }
}
