package io.tidemark.harness;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The differences of two JSON documents, field by field. */
public final class JsonDifferences {
    private static final int SHOWN = 80;

    private final List<String> found = new ArrayList<>();

    private JsonDifferences() {}

    /**
     * One line per place, such as {@code .spec.replicas: expected 1, was absent}; empty when they
     * are equal. The order of members does not count.
     */
    public static List<String> between(JsonNode expected, JsonNode actual) {
        JsonDifferences differences = new JsonDifferences();
        differences.compare("", expected, actual);
        return differences.found;
    }

    private void compare(String path, JsonNode expected, JsonNode actual) {
        if (expected.isObject() && actual.isObject()) {
            Set<String> names = new TreeSet<>();
            expected.fieldNames().forEachRemaining(names::add);
            actual.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                compare(path + "." + name, expected.path(name), actual.path(name));
            }
        } else if (expected.isArray() && actual.isArray() && expected.size() == actual.size()) {
            for (int i = 0; i < expected.size(); i++) {
                compare(path + "[" + i + "]", expected.get(i), actual.get(i));
            }
        } else if (!expected.equals(actual)) {
            found.add(path + ": expected " + shown(expected) + ", was " + shown(actual));
        }
    }

    private static String shown(JsonNode value) {
        String text = value.isMissingNode() ? "absent" : value.toString();
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }
}
