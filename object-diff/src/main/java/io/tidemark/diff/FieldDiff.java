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
import java.util.function.Consumer;
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

    private static final int NOISE_DEPTH = 2;

    private final boolean all;
    private final Consumer<Difference> found;

    /** To what is compared. Kept once: a deep object may have very many leaves. */
    private final List<FieldPath.Step> path = new ArrayList<>();

    private FieldDiff(boolean all, Consumer<Difference> found) {
        this.all = all;
        this.found = found;
    }

    /**
     * The differences, in the order of the documents; for documents that are trusted: each takes
     * memory for its whole path.
     *
     * @param all also fields that change with every write
     */
    public static List<Difference> between(JsonNode before, JsonNode after, boolean all) {
        List<Difference> differences = new ArrayList<>();
        forEach(before, after, all, differences::add);
        return differences;
    }

    /**
     * Hands over the differences one by one, and keeps none.
     *
     * @param all also fields that change with every write
     * @param found in the order of the documents
     */
    public static void forEach(
            JsonNode before, JsonNode after, boolean all, Consumer<Difference> found) {
        new FieldDiff(all, found).compare(before, after);
    }

    private void compareBelow(
            FieldPath.Step step, @Nullable JsonNode before, @Nullable JsonNode after) {
        path.add(step);
        compare(before, after);
        path.removeLast();
    }

    private boolean isNoise() {
        return !all && path.size() == NOISE_DEPTH && NOISE.contains(new FieldPath(path));
    }

    private void add(@Nullable JsonNode before, @Nullable JsonNode after) {
        found.accept(new Difference(new FieldPath(path), before, after));
    }

    private void compare(@Nullable JsonNode before, @Nullable JsonNode after) {
        if (isNoise()) {
            return;
        }
        if (before instanceof ObjectNode && after instanceof ObjectNode) {
            compareMembers(before, after);
        } else if (before == null || after == null) {
            JsonNode only = before == null ? after : before;
            leaves(only, before == null);
        } else if (!before.equals(after)) {
            if (before instanceof ArrayNode && after instanceof ArrayNode) {
                compareLists(before, after);
            } else {
                add(before, after);
            }
        }
    }

    /** Does not ask first whether the objects are equal: nested ones would be compared often. */
    private void compareMembers(JsonNode before, JsonNode after) {
        for (Map.Entry<String, JsonNode> old : before.properties()) {
            String name = old.getKey();
            compareBelow(new FieldPath.Step.Member(name), old.getValue(), after.get(name));
        }
        for (Map.Entry<String, JsonNode> now : after.properties()) {
            if (!before.has(now.getKey())) {
                compareBelow(new FieldPath.Step.Member(now.getKey()), null, now.getValue());
            }
        }
    }

    private void compareLists(JsonNode before, JsonNode after) {
        Optional<String> key =
                NAMES.stream()
                        .filter(n -> identifies(n, before) && identifies(n, after))
                        .findFirst();
        if (key.isEmpty()) {
            for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
                compareBelow(new FieldPath.Step.Index(i), before.get(i), after.get(i));
            }
            return;
        }
        Map<String, @Nullable JsonNode> old = byName(before, key.get());
        Map<String, @Nullable JsonNode> now = byName(after, key.get());
        if (old.equals(now)) {
            add(before, after); // Only their order differs.
            return;
        }
        Set<String> names = new LinkedHashSet<>(old.keySet());
        names.addAll(now.keySet());
        for (String name : names) {
            FieldPath.Step element = new FieldPath.Step.Element(key.get(), name);
            compareBelow(element, old.get(name), now.get(name));
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
    private void leaves(@Nullable JsonNode branch, boolean added) {
        if (branch == null || isNoise()) {
            return;
        }
        if (branch.isObject() && !branch.isEmpty()) {
            for (Map.Entry<String, JsonNode> member : branch.properties()) {
                leavesBelow(new FieldPath.Step.Member(member.getKey()), member.getValue(), added);
            }
            return;
        }
        boolean listOfObjects = branch.isArray() && !branch.isEmpty() && branch.get(0).isObject();
        if (listOfObjects) {
            Optional<String> key = NAMES.stream().filter(n -> identifies(n, branch)).findFirst();
            for (int i = 0; i < branch.size(); i++) {
                JsonNode element = branch.get(i);
                int index = i;
                FieldPath.Step step =
                        key.<FieldPath.Step>map(name ->
                                        new FieldPath.Step.Element(
                                                name, element.path(name).asText()))
                                .orElseGet(() -> new FieldPath.Step.Index(index));
                leavesBelow(step, element, added);
            }
            return;
        }
        add(added ? null : branch, added ? branch : null);
    }

    private void leavesBelow(FieldPath.Step step, JsonNode branch, boolean added) {
        path.add(step);
        leaves(branch, added);
        path.removeLast();
    }
}
