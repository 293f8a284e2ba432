package io.tidemark.golden.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.golden.recording.GoldenRecordings;
import java.util.regex.Pattern;

/** Texts of an expectation that begin with {@code ~} are patterns that the answer must match. */
public final class Patterns {
    private static final String MARK = "~";

    private Patterns() {}

    /** The answer's text where it matches, the pattern itself, as a difference, where not. */
    public static String resolved(String expected, String actual) {
        boolean matches =
                expected.startsWith(MARK)
                        && Pattern.compile(expected.substring(1), Pattern.DOTALL)
                                .matcher(actual)
                                .matches();
        return matches ? actual : expected;
    }

    /** The same for every text of a document. */
    public static JsonNode resolved(JsonNode expected, JsonNode actual) {
        JsonNode copy = expected.deepCopy();
        if (copy instanceof ObjectNode object) {
            for (String name : GoldenRecordings.names(object)) {
                object.set(name, resolved(object.path(name), actual.path(name)));
            }
        } else if (copy.isTextual() && copy.asText().startsWith(MARK)) {
            String text = resolved(copy.asText(), actual.isValueNode() ? actual.asText() : "");
            return text.equals(copy.asText()) ? copy : actual;
        }
        return copy;
    }
}
