package io.tidemark.diff;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares two JSON documents field by field. List elements that have names are compared by name,
 * so that a new first container does not make all others differ; other lists by index. If only the
 * order of named elements differs, the list is one difference: for containers, environment
 * variables and others it has a meaning.
 */
public final class FieldDiff {
    /**
     * Members that may identify a list's elements: the first that all elements have, with distinct
     * values.
     */
    private static final List<String> NAMES = List.of("name", "type", "key", "uid", "ip");

    /** Fields that change with every write, left out by default. */
    private static final Set<FieldPath> NOISE =
            Set.of(
                    FieldPath.of("metadata", "managedFields"),
                    FieldPath.of("metadata", "resourceVersion"));

    private final boolean all;
    private final List<Difference> found = new ArrayList<>();

    private FieldDiff(boolean all) {
        this.all = all;
    }

    /**
     * The differences, in the order of the documents.
     *
     * @param all also fields that change with every write
     */
    public static List<Difference> between(JsonNode before, JsonNode after, boolean all) {
        FieldDiff diff = new FieldDiff(all);
        diff.compare(FieldPath.ROOT, before, after);
        return diff.found;
    }

    private void compare(FieldPath path, @Nullable JsonNode before, @Nullable JsonNode after) {
        if ((before == null ? after == null : before.equals(after))
                || (!all && NOISE.contains(path))) {
            return;
        }
        if (before instanceof ObjectNode && after instanceof ObjectNode) {
            Set<String> names = new LinkedHashSet<>();
            before.fieldNames().forEachRemaining(names::add);
            after.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                compare(path.member(name), before.get(name), after.get(name));
            }
        } else if (before instanceof ArrayNode && after instanceof ArrayNode) {
            compareLists(path, before, after);
        } else if (before == null || after == null) {
            JsonNode only = before == null ? after : before;
            leaves(path, only, before == null);
        } else {
            found.add(new Difference(path, before, after));
        }
    }

    private void compareLists(FieldPath path, JsonNode before, JsonNode after) {
        Optional<String> key =
                NAMES.stream()
                        .filter(n -> identifies(n, before) && identifies(n, after))
                        .findFirst();
        if (key.isEmpty()) {
            for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
                compare(path.index(i), before.get(i), after.get(i));
            }
            return;
        }
        Map<String, @Nullable JsonNode> old = byName(before, key.get());
        Map<String, @Nullable JsonNode> now = byName(after, key.get());
        if (old.equals(now)) {
            found.add(new Difference(path, before, after)); // Only their order differs.
            return;
        }
        Set<String> names = new LinkedHashSet<>(old.keySet());
        names.addAll(now.keySet());
        for (String name : names) {
            compare(path.element(key.get(), name), old.get(name), now.get(name));
        }
    }

    private static Map<String, @Nullable JsonNode> byName(JsonNode list, String key) {
        Map<String, @Nullable JsonNode> elements = new LinkedHashMap<>();
        list.forEach(element -> elements.put(element.path(key).asText(), element));
        return elements;
    }

    private static boolean identifies(String key, JsonNode list) {
        Set<String> seen = new HashSet<>();
        for (JsonNode element : list) {
            if (!element.path(key).isTextual() || !seen.add(element.path(key).asText())) {
                return false;
            }
        }
        return true;
    }

    /** Adds each leaf of an added or removed branch; a list of plain values counts as one leaf. */
    private void leaves(FieldPath path, @Nullable JsonNode branch, boolean added) {
        if (branch == null || (!all && NOISE.contains(path))) {
            return;
        }
        if (branch.isObject() && !branch.isEmpty()) {
            branch.properties()
                    .forEach(member ->
                            leaves(path.member(member.getKey()), member.getValue(), added));
            return;
        }
        boolean listOfObjects = branch.isArray() && !branch.isEmpty() && branch.get(0).isObject();
        if (listOfObjects) {
            Optional<String> key = NAMES.stream().filter(n -> identifies(n, branch)).findFirst();
            for (int i = 0; i < branch.size(); i++) {
                JsonNode element = branch.get(i);
                int index = i;
                FieldPath at =
                        key.map(name -> path.element(name, element.path(name).asText()))
                                .orElseGet(() -> path.index(index));
                leaves(at, element, added);
            }
            return;
        }
        found.add(new Difference(path, added ? null : branch, added ? branch : null));
    }
}
