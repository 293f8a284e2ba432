package io.tidemark.view.object;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields that are not among the attributes from an object's JSON, in one pass that ends
 * at the last of them. Allocates little besides the answer.
 */
final class FieldReader {
    private final JsonParser parser;
    private final Map<String, String> found = new HashMap<>();

    /** Paths that have not been found yet. */
    private int missing;

    private FieldReader(JsonParser parser, int paths) {
        this.parser = parser;
        this.missing = paths;
    }

    /**
     * The texts of scalars by their paths, without paths that lead to nothing, to null, to a list
     * or an object. Never fails: bytes that are no JSON have no field.
     */
    static Map<String, String> read(byte[] stored, int from, int to, PathTree paths) {
        try (JsonParser parser = StoredJson.parser(stored, from, to - from)) {
            FieldReader reader = new FieldReader(parser, paths.size());
            try {
                if (parser.nextToken() == JsonToken.START_OBJECT) {
                    reader.walk(paths);
                }
            } catch (IOException _) {
                // Not JSON from here on: the fields found so far stay.
            }
            return reader.found;
        } catch (IOException _) {
            return Map.of();
        }
    }

    /**
     * The text of one field; empty when it is not set.
     *
     * @param path see {@link FieldPath}, such as {@code spec.tier}
     */
    static String read(byte[] stored, int from, int to, String path) {
        PathTree one = new PathTree();
        String key = one.add(path);
        return read(stored, from, to, one).getOrDefault(key, "");
    }

    /** Reads the members of the object that has just begun; of duplicate names, the first. */
    private void walk(PathTree tree) throws IOException {
        Set<PathTree> met = new HashSet<>();
        while (missing > 0 && parser.nextToken() == JsonToken.FIELD_NAME) {
            PathTree child = tree.child(parser.currentName());
            JsonToken value = parser.nextToken();
            if (child == null || value == null || !met.add(child)) {
                parser.skipChildren();
                continue;
            }
            take(child.path(), value);
            if (value == JsonToken.START_OBJECT) {
                walk(child);
            } else {
                parser.skipChildren();
            }
        }
    }

    private void take(@Nullable String path, JsonToken value) throws IOException {
        if (path == null) {
            return;
        }
        missing--;
        if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
            found.put(path, parser.getText());
        }
    }
}
