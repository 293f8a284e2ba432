package io.tidemark.query.catalog;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.query.catalog.Resource.Column;
import io.tidemark.query.catalog.Resource.Conversion;
import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Derives resources from a CustomResourceDefinition. API servers store definitions as v1beta1,
 * which has columns once for all versions and spells their path {@code JSONPath}; both forms are
 * read.
 *
 * <p>Definitions are untrusted input: a group must be a domain with a dot and not a built-in group,
 * so that no definition can reach into the directory of a built-in resource or replace it.
 */
public final class CustomResources {
    /** Limit of a definition's served versions, of columns per version, and of names. */
    static final int MAX_ENTRIES = 100;

    private static final int MAX_TEXT = 4096;

    /** The API server's limit. */
    private static final int MAX_WARNING = 256;

    private static final Pattern LABEL = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern DOMAIN =
            Pattern.compile(
                    "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?){1,30}");
    private static final Pattern KIND = Pattern.compile("[A-Za-z]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?");
    private static final Set<String> BUILT_IN_GROUPS = BuiltInResources.defaultGroups();
    private static final ObjectMapper JSON = new ObjectMapper(StoredJson.factory());

    private CustomResources() {}

    /**
     * One resource for each served version; empty for an invalid definition. Never throws, for any
     * bytes.
     *
     * @param definition JSON of the definition, v1 or v1beta1
     * @param prefix of the cluster in etcd, with the slash
     */
    public static List<Resource> of(byte[] definition, Bytes prefix) {
        try {
            return of(JSON.readTree(definition), prefix);
        } catch (JacksonException _) {
            return List.of();
        } catch (IOException e) {
            throw new IllegalStateException("reading from memory", e);
        }
    }

    private static List<Resource> of(JsonNode definition, Bytes prefix) {
        JsonNode spec = definition.path("spec");
        String group = spec.path("group").asText("");
        String plural = spec.path("names").path("plural").asText("");
        JsonNode names = servedNames(definition);
        String kind = names.path("kind").asText("");
        boolean named =
                DOMAIN.matcher(group).matches()
                        && !BUILT_IN_GROUPS.contains(group)
                        && LABEL.matcher(plural).matches()
                        && KIND.matcher(kind).matches()
                        && definition
                                .path("metadata")
                                .path("name")
                                .asText("")
                                .equals(plural + "." + group);
        if (!named || refused(definition)) {
            return List.of();
        }
        Conversion conversion = conversion(spec, group);
        List<Resource> resources = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (JsonNode version : versions(spec)) {
            String name = version.path("name").asText("");
            if (!version.path("served").asBoolean(true)
                    || !LABEL.matcher(name).matches()
                    || !seen.add(name)
                    || resources.size() == MAX_ENTRIES) {
                continue;
            }
            Resource resource =
                    new Resource(
                            group,
                            name,
                            plural,
                            singular(names, kind),
                            kind,
                            listKind(definition, kind),
                            spec.path("scope").asText("").equals("Namespaced"),
                            true,
                            labels(names.path("shortNames")),
                            labels(names.path("categories")),
                            selectableFields(spec, version),
                            columns(spec, version),
                            prefix.concat(Bytes.utf8(group + "/" + plural + "/")),
                            conversion,
                            CustomSchema.NONE,
                            subresources(spec, version),
                            "");
            resources.add(resource.withWarning(deprecation(spec, version, resource)));
        }
        return List.copyOf(resources);
    }

    /**
     * The API server serves the names that it has accepted. They differ from the requested ones
     * while those conflict with another definition.
     */
    private static JsonNode servedNames(JsonNode definition) {
        JsonNode accepted = definition.path("status").path("acceptedNames");
        return accepted.path("plural").asText("").isEmpty()
                ? definition.path("spec").path("names")
                : accepted;
    }

    private static String singular(JsonNode names, String kind) {
        String singular = names.path("singular").asText("");
        return LABEL.matcher(singular).matches() ? singular : kind.toLowerCase(Locale.ROOT);
    }

    /** The kind of lists that is served; else the requested one, which has a default. */
    private static String listKind(JsonNode definition, String kind) {
        for (JsonNode names :
                List.of(servedNames(definition), definition.path("spec").path("names"))) {
            String listKind = names.path("listKind").asText("");
            if (KIND.matcher(listKind).matches()) {
                return listKind;
            }
        }
        return Resource.usualListKind(kind);
    }

    /**
     * Whether the API server does not serve it: its names conflict, or it is not established yet.
     */
    private static boolean refused(JsonNode definition) {
        for (JsonNode condition : definition.path("status").path("conditions")) {
            if (condition.path("type").asText("").equals("Established")) {
                return !condition.path("status").asText("").equals("True");
            }
        }
        return false;
    }

    /** In v1beta1 a single version may be named outside the list. */
    private static Iterable<JsonNode> versions(JsonNode spec) {
        if (spec.path("versions").isEmpty() && spec.path("version").isTextual()) {
            return List.of(
                    JSON.createObjectNode()
                            .put("name", spec.path("version").asText())
                            .put("storage", true));
        }
        return spec.path("versions");
    }

    private static Conversion conversion(JsonNode spec, String group) {
        String stored = "";
        for (JsonNode version : versions(spec)) {
            if (version.path("storage").asBoolean()) {
                stored = group + "/" + version.path("name").asText("");
            }
        }
        return new Conversion(
                stored, spec.path("conversion").path("strategy").asText("None").equals("None"));
    }

    /** The deprecation warning of a version, reduced to characters that a header allows. */
    private static String deprecation(JsonNode spec, JsonNode version, Resource resource) {
        if (!version.path("deprecated").asBoolean()) {
            return "";
        }
        String text = version.path("deprecationWarning").asText("");
        String warning =
                text.isEmpty()
                        ? usualDeprecation(spec, resource)
                        : text.replaceAll("[^\\x20-\\x7e]", "?");
        return warning.substring(0, Math.min(warning.length(), MAX_WARNING));
    }

    /** As the API server words it where the definition does not: with the best later version. */
    private static String usualDeprecation(JsonNode spec, Resource resource) {
        String best = resource.version();
        for (JsonNode other : versions(spec)) {
            String name = other.path("name").asText("");
            if (other.path("served").asBoolean(true)
                    && !other.path("deprecated").asBoolean()
                    && LABEL.matcher(name).matches()
                    && ApiVersions.PREFERRED_FIRST.compare(name, best) < 0) {
                best = name;
            }
        }
        String kind = " " + resource.kind();
        String warning = resource.apiVersion() + kind + " is deprecated";
        return best.equals(resource.version())
                ? warning
                : warning + "; use " + resource.group() + "/" + best + kind;
    }

    private static List<Column> columns(JsonNode spec, JsonNode version) {
        List<Column> columns = new ArrayList<>();
        columns.add(
                new Column(
                        "Name",
                        "string",
                        "name",
                        BuiltInResources.text("name"),
                        0,
                        ".metadata.name"));
        for (JsonNode entry : ofVersion(spec, version, "additionalPrinterColumns")) {
            String path = entry.path("jsonPath").asText(entry.path("JSONPath").asText(""));
            if (columns.size() > MAX_ENTRIES || path.isEmpty() || path.length() > MAX_TEXT) {
                continue;
            }
            columns.add(
                    new Column(
                            text(entry, "name"),
                            text(entry, "type"),
                            text(entry, "format"),
                            entry.path("description").asText("").isEmpty()
                                    ? "Custom resource definition column (in JSONPath format): "
                                            + path
                                    : text(entry, "description"),
                            entry.path("priority").asInt(),
                            path));
        }
        if (columns.size() == 1) {
            columns.add(
                    new Column(
                            "Age",
                            "date",
                            "",
                            BuiltInResources.text("created"),
                            0,
                            ".metadata.creationTimestamp"));
        }
        return columns;
    }

    private static List<String> selectableFields(JsonNode spec, JsonNode version) {
        List<String> fields = new ArrayList<>();
        for (JsonNode entry : ofVersion(spec, version, "selectableFields")) {
            String path = entry.path("jsonPath").asText(entry.path("JSONPath").asText(""));
            if (path.startsWith(".") && path.length() <= MAX_TEXT && fields.size() < MAX_ENTRIES) {
                fields.add(path.substring(1));
            }
        }
        return fields;
    }

    /** Paths in definitions begin with a dot and consist of member names only. */
    private static Map<String, Subresource> subresources(JsonNode spec, JsonNode version) {
        JsonNode declared = ofVersion(spec, version, "subresources");
        Map<String, Subresource> subresources = new HashMap<>();
        if (declared.path("status").isObject()) {
            subresources.put("status", new Subresource.Whole());
        }
        JsonNode scale = declared.path("scale");
        if (scale.isObject()) {
            subresources.put(
                    "scale",
                    new Subresource.Scale(
                            path(scale, "specReplicasPath"),
                            path(scale, "statusReplicasPath"),
                            path(scale, "labelSelectorPath")));
        }
        return subresources;
    }

    private static String path(JsonNode scale, String field) {
        String path = text(scale, field);
        return path.startsWith(".") ? path.substring(1) : path;
    }

    private static JsonNode ofVersion(JsonNode spec, JsonNode version, String field) {
        return version.has(field) ? version.path(field) : spec.path(field);
    }

    private static List<String> labels(JsonNode entries) {
        List<String> labels = new ArrayList<>();
        for (JsonNode entry : entries) {
            if (LABEL.matcher(entry.asText("")).matches() && labels.size() < MAX_ENTRIES) {
                labels.add(entry.asText());
            }
        }
        return labels;
    }

    private static String text(JsonNode entry, String field) {
        String text = entry.path(field).asText("");
        return text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text;
    }
}
