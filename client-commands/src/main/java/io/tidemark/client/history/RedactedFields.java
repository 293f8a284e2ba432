package io.tidemark.client.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Finds the values of an object that a connector has replaced, see {@code --redact}. */
final class RedactedFields {
    /** The text that a connector writes in the place of a value. */
    private static final String PLACEHOLDER = "redacted";

    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private RedactedFields() {}

    /** Removes kubectl's replaced copy of the object, which kubectl can do without. */
    static void dropLastApplied(ObjectNode object) {
        if (object.at("/metadata/annotations") instanceof ObjectNode annotations
                && isPlaceholder(annotations.path(LAST_APPLIED))) {
            annotations.remove(LAST_APPLIED);
        }
    }

    /** The paths of replaced values. */
    static List<String> of(JsonNode object) {
        List<String> found = new ArrayList<>();
        add(found, "", object);
        return found;
    }

    private static void add(List<String> found, String path, JsonNode node) {
        if (isPlaceholder(node)) {
            found.add(path);
        }
        node.properties()
                .forEach(member -> add(found, path + "." + member.getKey(), member.getValue()));
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                add(found, path + "[" + i + "]", node.get(i));
            }
        }
    }

    private static boolean isPlaceholder(JsonNode node) {
        return node.isTextual() && node.asText().equals(PLACEHOLDER);
    }
}
