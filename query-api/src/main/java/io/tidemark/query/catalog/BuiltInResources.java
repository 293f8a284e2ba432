package io.tidemark.query.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.catalog.Resource.Column;
import io.tidemark.query.catalog.Resource.Conversion;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The resources that API servers have, read from {@code built-in-resources.json} beside this class.
 * Each entry describes one resource in one version:
 *
 * <ul>
 *   <li>{@code as}: the version whose entry it shares, all but its name and its warning
 *   <li>{@code key}: its directory in etcd, when that is not its plural
 *   <li>{@code stored}: the apiVersion it is written in, when that is not the served one
 *   <li>{@code convertsByName}: false when its versions differ in more than their name
 *   <li>{@code fields}: selectable besides metadata.name and metadata.namespace
 *   <li>{@code columns}: as {@link Column}; a description {@code @x} is the text {@code x}
 *   <li>{@code subresources}: below its objects, by name: {@code whole}, {@code scale}, or what is
 *       not stored with its kind and verbs, see {@link Subresource}
 *   <li>{@code warning}: added to every response about it as a Warning header
 * </ul>
 *
 * <p>Kinds that are created but never stored, such as a TokenReview, are listed in {@code actions}:
 * discovery shows their groups and their paths are known, but they cannot be read.
 *
 * <p>Groups, and the versions of a group, are in the order of discovery.
 */
public final class BuiltInResources {
    private static final JsonNode TABLE = read();
    private static final List<Action> ACTIONS = readActions();
    private static final Subresource.Scale SCALE =
            new Subresource.Scale("spec.replicas", "status.replicas", "spec.selector");

    private BuiltInResources() {}

    /**
     * The resources that an API server serves by default, in each version that it serves.
     *
     * @param prefix of the cluster in etcd, with the slash: {@code /registry/}
     */
    public static List<Resource> under(Bytes prefix) {
        return all(prefix).stream().filter(ServedApis.DEFAULT::contains).toList();
    }

    /**
     * All resources in every version, those included that an API server serves only when its
     * configuration enables them.
     *
     * @param prefix of the cluster in etcd, with the slash: {@code /registry/}
     */
    public static List<Resource> all(Bytes prefix) {
        List<Resource> resources = new ArrayList<>();
        for (JsonNode entry : TABLE.path("resources")) {
            resources.add(resource(complete(entry), prefix));
        }
        return List.copyOf(resources);
    }

    /** The entry with what it shares with another version's entry. */
    private static JsonNode complete(JsonNode entry) {
        if (!entry.has("as")) {
            return entry;
        }
        JsonNode shared = sharedEntry(entry);
        ObjectNode complete = shared.deepCopy();
        complete.remove("warning");
        if (!complete.has("stored")) {
            complete.put("stored", apiVersion(shared));
        }
        return complete.setAll((ObjectNode) entry);
    }

    private static JsonNode sharedEntry(JsonNode sharing) {
        for (JsonNode entry : TABLE.path("resources")) {
            if (entry.path("group").equals(sharing.path("group"))
                    && entry.path("plural").equals(sharing.path("plural"))
                    && entry.path("version").equals(sharing.path("as"))) {
                return entry;
            }
        }
        throw new IllegalStateException("no such version: " + sharing);
    }

    private static String apiVersion(JsonNode entry) {
        String group = entry.path("group").asText();
        String version = entry.path("version").asText();
        return group.isEmpty() ? version : group + "/" + version;
    }

    /**
     * The groups that any API server may serve, in the order in which discovery shows them; the
     * core group first.
     */
    public static List<String> groups() {
        Set<String> groups = new LinkedHashSet<>();
        TABLE.path("groups").forEach(group -> groups.add(group.asText()));
        return List.copyOf(groups);
    }

    /** The groups that every API server serves, unless they are disabled. */
    static Set<String> defaultGroups() {
        Set<String> groups = new HashSet<>();
        under(Bytes.EMPTY).forEach(resource -> groups.add(resource.group()));
        ACTIONS.forEach(action -> groups.add(action.group()));
        return Set.copyOf(groups);
    }

    /** The kinds that can only be created. */
    public static List<Action> actions() {
        return ACTIONS;
    }

    private static List<Action> readActions() {
        List<Action> actions = new ArrayList<>();
        for (JsonNode entry : TABLE.path("actions")) {
            actions.add(
                    new Action(
                            entry.path("group").asText(),
                            entry.path("version").asText(),
                            entry.path("plural").asText(),
                            entry.path("singular").asText(),
                            entry.path("kind").asText(),
                            entry.path("namespaced").asBoolean()));
        }
        return List.copyOf(actions);
    }

    /**
     * Whether the path belongs to a kind that can only be created.
     *
     * @param namespaced whether the path names a namespace
     */
    public static boolean isAction(
            String group, String version, String plural, boolean namespaced) {
        return ACTIONS.stream()
                .anyMatch(action ->
                        action.group().equals(group)
                                && action.version().equals(version)
                                && action.plural().equals(plural)
                                && action.namespaced() == namespaced);
    }

    /**
     * A kind that can be created and is not stored, such as a TokenReview.
     *
     * @param group empty for the core group
     */
    public record Action(
            String group,
            String version,
            String plural,
            String singular,
            String kind,
            boolean namespaced) {}

    /** A text that many columns share, such as {@code name} or {@code created}. */
    public static String text(String key) {
        return TABLE.path("texts").path(key).asText();
    }

    private static Resource resource(JsonNode entry, Bytes prefix) {
        String plural = entry.path("plural").asText();
        String kind = entry.path("kind").asText();
        return new Resource(
                entry.path("group").asText(),
                entry.path("version").asText(),
                plural,
                entry.path("singular").asText(),
                kind,
                Resource.usualListKind(kind),
                entry.path("namespaced").asBoolean(),
                false,
                texts(entry.path("shortNames")),
                texts(entry.path("categories")),
                texts(entry.path("fields")),
                columns(entry.path("columns")),
                prefix.concat(Bytes.utf8(entry.path("key").asText(plural) + "/")),
                new Conversion(
                        entry.path("stored").asText(apiVersion(entry)),
                        entry.path("convertsByName").asBoolean(true)),
                CustomSchema.NONE,
                subresources(entry.path("subresources")),
                entry.path("warning").asText());
    }

    private static Map<String, Subresource> subresources(JsonNode entries) {
        Map<String, Subresource> subresources = new HashMap<>();
        for (Map.Entry<String, JsonNode> entry : entries.properties()) {
            JsonNode value = entry.getValue();
            Subresource subresource =
                    switch (value.asText()) {
                        case "whole" -> new Subresource.Whole();
                        case "scale" -> SCALE;
                        default ->
                                new Subresource.NotStored(
                                        value.path("group").asText(),
                                        value.path("version").asText(),
                                        value.required("kind").asText(),
                                        texts(value.required("verbs")));
                    };
            subresources.put(entry.getKey(), subresource);
        }
        return subresources;
    }

    private static List<Column> columns(JsonNode entries) {
        List<Column> columns = new ArrayList<>();
        for (JsonNode entry : entries) {
            String description = entry.path("description").asText();
            columns.add(
                    new Column(
                            entry.path("name").asText(),
                            entry.path("type").asText(),
                            entry.path("format").asText(),
                            description.startsWith("@")
                                    ? text(description.substring(1))
                                    : description,
                            entry.path("priority").asInt(),
                            entry.path("path").asText()));
        }
        return columns;
    }

    private static List<String> texts(JsonNode entries) {
        List<String> texts = new ArrayList<>();
        entries.forEach(entry -> texts.add(entry.asText()));
        return texts;
    }

    private static JsonNode read() {
        try (InputStream in =
                BuiltInResources.class.getResourceAsStream("built-in-resources.json")) {
            if (in == null) {
                throw new IllegalStateException("built-in-resources.json is not on the class path");
            }
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
