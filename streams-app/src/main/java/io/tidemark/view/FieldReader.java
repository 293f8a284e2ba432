package io.tidemark.view;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * Reads one field from an object's JSON, and no further than to it: for the fields that are not
 * among the attributes. Builds nothing but the answer.
 */
final class FieldReader {
    private FieldReader() {}

    /**
     * The text of a scalar; empty when the path leads to nothing, to null, to a list or an object.
     * Never fails: bytes that are no JSON have no field.
     *
     * @param path see {@link FieldPath}, such as {@code spec.tier}
     */
    static String read(byte[] stored, int from, int to, String path) {
        try (JsonParser parser = StoredJson.parser(stored, from, to - from)) {
            JsonToken token = parser.nextToken();
            int at = 0;
            while (token == JsonToken.START_OBJECT) {
                int end = FieldPath.end(path, at);
                if (!stepInto(parser, FieldPath.name(path, at, end))) {
                    return "";
                }
                token = parser.currentToken();
                if (end == path.length()) {
                    return token.isScalarValue() && token != JsonToken.VALUE_NULL
                            ? parser.getText()
                            : "";
                }
                at = end + 1;
            }
            return "";
        } catch (IOException _) {
            return "";
        }
    }

    /** Moves from the start of an object to the value of a member, if there is one. */
    private static boolean stepInto(JsonParser parser, String name) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean wanted = parser.currentName().equals(name);
            JsonToken value = parser.nextToken();
            if (wanted && value != null) {
                return true;
            }
            parser.skipChildren();
        }
        return false;
    }
}
