package io.tidemark.store.fold;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The selectable fields of each kind, and their paths in the object. Read from a data file whose
 * first lines describe its format.
 */
final class SelectableFields {
    /** Every object has these. */
    static final Set<String> OF_ALL = Set.of("metadata.name", "metadata.namespace");

    private static final String FILE = "selectable-fields.txt";
    private static final SelectableFields BUILT_IN = load();

    /**
     * One selectable field.
     *
     * @param paths the first one that is set wins
     * @param defaultValue when none is set; may be empty
     */
    record Field(String name, List<String> paths, String defaultValue) {}

    private final Map<String, List<Field>> byKind;
    private final String fingerprint;

    private SelectableFields(Map<String, List<Field>> byKind, String fingerprint) {
        this.byKind = byKind;
        this.fingerprint = fingerprint;
    }

    /** The fields of Kubernetes' built-in kinds. */
    static SelectableFields builtIn() {
        return BUILT_IN;
    }

    /**
     * The fields of a kind; none for an unknown kind.
     *
     * @param group empty for the core group
     */
    List<Field> of(String group, String kind) {
        return byKind.getOrDefault(group + "/" + kind, List.of());
    }

    /** All paths of all kinds. */
    Set<String> paths() {
        Set<String> paths = new TreeSet<>();
        byKind.values().forEach(fields -> fields.forEach(field -> paths.addAll(field.paths())));
        return paths;
    }

    /** Changes when the fields do. */
    String fingerprint() {
        return fingerprint;
    }

    static SelectableFields parse(String text) {
        Map<String, List<Field>> byKind = new HashMap<>();
        for (String line : text.lines().toList()) {
            if (!line.isBlank() && !line.startsWith("#")) {
                List<String> words = Arrays.asList(line.strip().split("\\s+"));
                byKind.computeIfAbsent(words.getFirst(), _ -> new ArrayList<>())
                        .add(parseField(words.subList(1, words.size())));
            }
        }
        byKind.replaceAll((_, fields) -> List.copyOf(fields));
        return new SelectableFields(byKind, Integer.toHexString(text.hashCode()));
    }

    private static Field parseField(List<String> words) {
        String name = words.getFirst();
        int fallback = words.indexOf("default");
        int end = fallback < 0 ? words.size() : fallback;
        List<String> paths =
                words.indexOf("=") == 1 ? List.copyOf(words.subList(2, end)) : List.of(name);
        return new Field(name, paths, fallback < 0 ? "" : words.get(fallback + 1));
    }

    private static SelectableFields load() {
        try (InputStream in = SelectableFields.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException(FILE + " is not in the jar");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
