package io.tidemark.query.catalog;

import io.tidemark.query.catalog.ApiVersions.Stage;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The built-in resources that are served: as of an API server those of GA versions, and others as
 * the entries of its option {@code --runtime-config} turn them on or off. An entry is {@code
 * NAME=true} or {@code NAME=false}, or {@code NAME} for true, where NAME is
 *
 * <ul>
 *   <li>{@code api/all}: every version
 *   <li>{@code api/ga}, {@code api/beta} or {@code api/alpha}: the versions of that stage
 *   <li>{@code GROUP/VERSION}, or {@code v1} for the core group: the resources of that version
 *   <li>{@code GROUP/VERSION/RESOURCE}: one resource by its plural
 * </ul>
 *
 * The narrower entry decides, in any order of the entries. Resources of definitions and kinds that
 * are never stored are not affected. Immutable.
 */
public final class ServedApis {
    /** As without entries. */
    public static final ServedApis DEFAULT = new ServedApis(Map.of());

    private static final String ALL = "api/all";

    /** The texts that an API server reads as a boolean. */
    private static final Map<String, Boolean> BOOLEANS = booleans();

    /** Longer ones are cut in messages. */
    private static final int SHOWN = 100;

    private final Map<String, Boolean> entries;
    private final Map<Stage, Boolean> stages = new EnumMap<>(Stage.class);

    private ServedApis(Map<String, Boolean> entries) {
        this.entries = Map.copyOf(entries);
        for (Stage stage : Stage.values()) {
            boolean byDefault = this.entries.getOrDefault(ALL, stage == Stage.GA);
            stages.put(stage, this.entries.getOrDefault(name(stage), byDefault));
        }
    }

    /**
     * Reads entries.
     *
     * @throws IllegalArgumentException if one is not of that form or appears twice, if there is no
     *     such version or resource, or if they turn everything off; the message says which, and
     *     what there is
     */
    public static ServedApis parse(List<String> texts) {
        List<Resource> known = BuiltInResources.all(Bytes.EMPTY);
        Set<String> names = names(known);
        Map<String, Boolean> entries = new HashMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            String name = (equals < 0 ? text : text.substring(0, equals)).strip();
            String value = equals < 0 ? "true" : text.substring(equals + 1).strip();
            Boolean on = BOOLEANS.get(value);
            if (on == null) {
                throw new IllegalArgumentException(
                        "'%s' is neither true nor false, in '%s'"
                                .formatted(shown(value), shown(text)));
            }
            if (!names.contains(name)) {
                throw new IllegalArgumentException(
                        "there is no '%s', only %s"
                                .formatted(shown(name), alternatives(name, known)));
            }
            if (entries.put(name, on) != null) {
                throw new IllegalArgumentException("'%s' is given twice".formatted(name));
            }
        }
        ServedApis apis = new ServedApis(entries);
        if (known.stream().noneMatch(apis::contains)) {
            throw new IllegalArgumentException("these entries turn every resource off");
        }
        return apis;
    }

    /** Whether a built-in resource is served. */
    public boolean contains(Resource resource) {
        return entry(resource.apiVersion() + "/" + resource.plural())
                .or(() -> entry(resource.apiVersion()))
                .or(() -> Optional.ofNullable(stages.get(ApiVersions.stage(resource.version()))))
                .orElseThrow();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ServedApis apis && apis.entries.equals(entries);
    }

    @Override
    public int hashCode() {
        return entries.hashCode();
    }

    /** The entries, in the form in which {@link #parse} reads them. */
    @Override
    public String toString() {
        return new TreeMap<>(entries)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(","));
    }

    private Optional<Boolean> entry(String name) {
        return Optional.ofNullable(entries.get(name));
    }

    private static String name(Stage stage) {
        return "api/" + stage.name().toLowerCase(Locale.ROOT);
    }

    private static Set<String> names(List<Resource> known) {
        Set<String> names = new LinkedHashSet<>(wideNames());
        for (Resource resource : known) {
            names.add(resource.apiVersion());
            names.add(resource.apiVersion() + "/" + resource.plural());
        }
        return names;
    }

    /** The names of many versions at once. */
    private static List<String> wideNames() {
        List<String> names = new ArrayList<>(List.of(ALL));
        for (Stage stage : Stage.values()) {
            names.add(name(stage));
        }
        return names;
    }

    /** The resources of the named version if there is one, else all versions. */
    private static String alternatives(String name, List<Resource> known) {
        List<String> resources =
                known.stream()
                        .filter(resource -> name.startsWith(resource.apiVersion() + "/"))
                        .map(resource -> resource.apiVersion() + "/" + resource.plural())
                        .sorted()
                        .toList();
        Stream<String> versions = known.stream().map(Resource::apiVersion).distinct().sorted();
        return String.join(
                ", ",
                resources.isEmpty()
                        ? Stream.concat(wideNames().stream(), versions).toList()
                        : resources);
    }

    private static String shown(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }

    private static Map<String, Boolean> booleans() {
        Map<String, Boolean> values = new HashMap<>();
        List.of("1", "t", "T", "true", "True", "TRUE").forEach(text -> values.put(text, true));
        List.of("0", "f", "F", "false", "False", "FALSE").forEach(text -> values.put(text, false));
        return Map.copyOf(values);
    }
}
