package io.tidemark.golden.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.golden.recording.GoldenRecordings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One change of a recorded document into the expected one.
 *
 * @param in what members of the document must match for it to be changed
 * @param at names of members and indexes from the root down; {@code *} is every one
 */
record Edit(List<String> at, Map<String, Pattern> in, Action action) {
    /** The change of each value that is found. */
    sealed interface Action {
        /** Removes it, if all the named members have a text that matches. */
        record Drop(Map<String, Pattern> where) implements Action {}

        /** Removes all elements of it except these. */
        record Keep(List<String> texts) implements Action {}

        /** Puts another one there. */
        record Put(JsonNode value) implements Action {}

        /** Replaces what matches in a text. */
        record Replace(Pattern pattern, String with) implements Action {}

        /**
         * Takes the answer's elements, or of an object the members of these names, which must all
         * be among the recorded or match.
         */
        record Subset(Pattern own) implements Action {}

        /** Takes the answer's value, which must be a number that is no smaller. */
        record AtLeast() implements Action {}

        /** From the element after the first that matches on, takes the answer's. */
        record UpTo(Pattern pattern) implements Action {}

        /** Where a text matches, takes the answer's, which must match too. */
        record Like(Pattern pattern) implements Action {}
    }

    static Edit of(JsonNode edit) {
        return new Edit(
                List.of(edit.path("at").asText().substring(1).split("/")),
                patterns(edit.path("in")),
                switch (edit) {
                    case JsonNode drop when drop.has("drop") ->
                            new Action.Drop(patterns(drop.path("drop")));
                    case JsonNode keep when keep.has("keep") ->
                            new Action.Keep(texts(keep.path("keep")));
                    case JsonNode put when put.has("put") -> new Action.Put(put.path("put"));
                    case JsonNode replace when replace.has("replace") ->
                            new Action.Replace(
                                    Pattern.compile(replace.path("replace").asText()),
                                    replace.path("with").asText());
                    case JsonNode subset when subset.has("subset") ->
                            new Action.Subset(Pattern.compile(subset.path("subset").asText()));
                    case JsonNode atLeast when atLeast.has("atLeast") -> new Action.AtLeast();
                    case JsonNode upTo when upTo.has("upTo") ->
                            new Action.UpTo(Pattern.compile(upTo.path("upTo").asText()));
                    case JsonNode like when like.has("like") ->
                            new Action.Like(Pattern.compile(like.path("like").asText()));
                    default -> throw new IllegalArgumentException("unknown edit " + edit);
                });
    }

    static Map<String, Pattern> patterns(JsonNode members) {
        Map<String, Pattern> patterns = new TreeMap<>();
        members.properties()
                .forEach(each ->
                        patterns.put(each.getKey(), Pattern.compile(each.getValue().asText())));
        return patterns;
    }

    static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.asText()));
        return texts;
    }

    /** Changes {@code expected}; {@code actual} is the value at the same place of the answer. */
    void apply(JsonNode expected, JsonNode actual) {
        if (matches(expected, in)) {
            apply(expected, actual, 0);
        }
    }

    private void apply(JsonNode expected, JsonNode actual, int depth) {
        String step = at.get(depth);
        boolean last = depth == at.size() - 1;
        switch (expected) {
            case ObjectNode object -> {
                for (String name : names(object, step)) {
                    if (!last) {
                        apply(object.path(name), actual.path(name), depth + 1);
                    } else if (isDropped(object.path(name))) {
                        object.remove(name);
                    } else {
                        object.set(name, changed(object.path(name), actual.path(name)));
                    }
                }
            }
            case ArrayNode array -> {
                if (last) {
                    removeDropped(array, step);
                }
                for (int i = 0; i < array.size(); i++) {
                    if (!step.equals("*") && !step.equals(String.valueOf(i))) {
                        continue;
                    }
                    if (!last) {
                        apply(array.path(i), actual.path(i), depth + 1);
                    } else {
                        array.set(i, changed(array.path(i), actual.path(i)));
                    }
                }
            }
            default -> {
                // A text or a number has no members: there is nothing to change.
            }
        }
    }

    private static List<String> names(ObjectNode object, String step) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        if (!step.equals("*")) {
            names.retainAll(List.of(step));
            if (names.isEmpty()) {
                return List.of();
            }
        }
        return names;
    }

    private void removeDropped(ArrayNode array, String step) {
        int index = 0;
        for (Iterator<JsonNode> each = array.iterator(); each.hasNext(); index++) {
            JsonNode value = each.next();
            if ((step.equals("*") || step.equals(String.valueOf(index))) && isDropped(value)) {
                each.remove();
            }
        }
    }

    private boolean isDropped(JsonNode value) {
        return action instanceof Action.Drop(Map<String, Pattern> where) && matches(value, where);
    }

    private static boolean matches(JsonNode value, Map<String, Pattern> members) {
        return members.entrySet().stream()
                .allMatch(each ->
                        each.getValue().matcher(textOf(member(value, each.getKey()))).find());
    }

    /** The value itself by an empty name. */
    private static JsonNode member(JsonNode value, String name) {
        return name.isEmpty() ? value : value.path(name);
    }

    private JsonNode changed(JsonNode expected, JsonNode actual) {
        return switch (action) {
            case Action.Drop _ -> expected;
            case Action.Keep(List<String> texts) -> {
                if (expected instanceof ArrayNode array) {
                    array.removeIf(each -> !texts.contains(each.asText()));
                }
                yield expected;
            }
            case Action.Put(JsonNode value) -> value.deepCopy();
            case Action.Replace(Pattern pattern, String with) ->
                    expected.isTextual()
                            ? TextNode.valueOf(pattern.matcher(expected.asText()).replaceAll(with))
                            : expected;
            case Action.Subset(Pattern own) ->
                    expected instanceof ObjectNode object
                            ? subset(object, actual)
                            : subset(own, expected, actual);
            case Action.AtLeast _ ->
                    actual.asLong(Long.MIN_VALUE) >= expected.asLong() ? actual : expected;
            case Action.Like(Pattern pattern) ->
                    pattern.matcher(textOf(expected)).matches()
                                    && pattern.matcher(textOf(actual)).matches()
                            ? actual
                            : expected;
            case Action.UpTo(Pattern pattern) -> upTo(pattern, expected, actual);
        };
    }

    private static JsonNode subset(Pattern own, JsonNode expected, JsonNode actual) {
        Set<JsonNode> recorded = new HashSet<>();
        expected.forEach(recorded::add);
        boolean within = actual.isArray() && !actual.isEmpty();
        for (JsonNode each : actual) {
            within &= recorded.contains(each) || own.matcher(textOf(each)).find();
        }
        return within ? actual : expected;
    }

    private static JsonNode subset(ObjectNode expected, JsonNode actual) {
        ObjectNode subset = expected.deepCopy();
        subset.retain(
                actual.properties().stream().map(Map.Entry::getKey).collect(Collectors.toSet()));
        return subset;
    }

    private static JsonNode upTo(Pattern pattern, JsonNode expected, JsonNode actual) {
        ArrayNode joined = GoldenRecordings.JSON.createArrayNode();
        int index = 0;
        for (JsonNode each : expected) {
            joined.add(each);
            index++;
            if (pattern.matcher(textOf(each)).find()) {
                for (int rest = index; rest < actual.size(); rest++) {
                    joined.add(actual.get(rest));
                }
                return joined;
            }
        }
        return expected;
    }

    private static String textOf(JsonNode value) {
        return value.isValueNode() ? value.asText() : value.toString();
    }
}
