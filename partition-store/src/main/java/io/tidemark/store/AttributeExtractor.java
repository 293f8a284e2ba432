package io.tidemark.store;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import io.tidemark.view.PathTree;
import io.tidemark.view.StoredJson;
import io.tidemark.view.StoredObject;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the stored form of a put: reads a Kubernetes object once, in one pass without building a
 * tree, for what selectors may ask of it later. Thread-safe. Never fails: a value that is not the
 * object it is said to be is stored as it is, marked unreadable.
 */
final class AttributeExtractor {
    private static final String NAME = "metadata.name";
    private static final String NAMESPACE = "metadata.namespace";

    /** What the walk leaves out but for a few members: few are ever declared. */
    private static final String METADATA = "metadata.";

    private final SelectableFields fields;
    private final Set<IndexSettings.Field> indexed;
    private final PathTree paths;

    /**
     * @param indexed fields that are wanted besides
     */
    AttributeExtractor(SelectableFields fields, Set<IndexSettings.Field> indexed) {
        this.fields = fields;
        this.indexed = Set.copyOf(indexed);
        this.paths = new PathTree();
        paths.add("apiVersion");
        paths.add("kind");
        paths.add(NAME);
        paths.add(NAMESPACE);
        fields.paths().forEach(paths::add);
        indexed.forEach(field -> paths.add(field.path()));
    }

    StoredObject store(Change.Put put) {
        if (put.contentType() == ContentType.RAW) {
            return raw(put, put.unreadable());
        }
        Found found = new Found();
        try (JsonParser parser = StoredJson.parser(put.value().array(), 0, put.value().length())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return raw(put, "the value is no JSON object");
            }
            walk(parser, paths, found);
            if (parser.nextToken() != null) {
                return raw(put, "something follows the JSON object");
            }
        } catch (IOException e) {
            return raw(put, "the value is no JSON: " + firstLine(e));
        }
        if (!spells(put.value(), found.resourceVersionOffset, put.revision())) {
            return raw(put, "metadata.resourceVersion is not \"" + put.revision() + "\"");
        }
        return encode(
                put,
                ContentType.KUBERNETES_JSON,
                "",
                found.labels,
                select(put, found.values),
                found.resourceVersionOffset);
    }

    /** Whether a string of just these digits, its quotes included, lies around an offset. */
    private static boolean spells(Bytes value, int offset, long revision) {
        String wanted = "\"" + revision + "\"";
        int from = offset - 1;
        if (from < 0 || from + wanted.length() > value.length()) {
            return false;
        }
        for (int i = 0; i < wanted.length(); i++) {
            if (value.at(from + i) != wanted.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Walks the object that the parser stands at the start of, down the wanted paths only. */
    private void walk(JsonParser parser, PathTree tree, Found found) throws IOException {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (tree == paths && name.equals("metadata") && token == JsonToken.START_OBJECT) {
                walkMetadata(parser, found);
                continue;
            }
            @Nullable PathTree below = tree.child(name);
            if (below == null) {
                parser.skipChildren();
            } else if (token == JsonToken.START_OBJECT) {
                walk(parser, below, found);
            } else {
                take(parser, token, below.path(), found.values);
            }
        }
    }

    private static void walkMetadata(JsonParser parser, Found found) throws IOException {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            switch (name) {
                case "name" -> take(parser, token, NAME, found.values);
                case "namespace" -> take(parser, token, NAMESPACE, found.values);
                case "resourceVersion" -> {
                    // One past the quote that opens the string.
                    found.resourceVersionOffset =
                            (int) parser.currentTokenLocation().getByteOffset() + 1;
                    parser.skipChildren();
                }
                case "labels" -> {
                    if (token == JsonToken.START_OBJECT) {
                        walkLabels(parser, found);
                    } else {
                        parser.skipChildren();
                    }
                }
                default -> parser.skipChildren();
            }
        }
    }

    private static void walkLabels(JsonParser parser, Found found) throws IOException {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            take(parser, parser.nextToken(), name, found.labels);
        }
    }

    /** Booleans and numbers count as their text; what is null, a list or an object is not set. */
    private static void take(
            JsonParser parser, JsonToken token, @Nullable String path, Map<String, String> into)
            throws IOException {
        if (path != null && token.isScalarValue() && token != JsonToken.VALUE_NULL) {
            into.put(path, parser.getText());
        } else {
            parser.skipChildren();
        }
    }

    private Map<String, String> select(Change.Put put, Map<String, String> values) {
        Map<String, String> selected = new HashMap<>();
        selected.put(NAME, values.getOrDefault(NAME, ""));
        selected.put(NAMESPACE, values.getOrDefault(NAMESPACE, ""));
        String apiVersion = values.getOrDefault("apiVersion", "");
        String group = apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
        for (SelectableFields.Field field : fields.of(group, values.getOrDefault("kind", ""))) {
            String value = field.defaultValue();
            for (String path : field.paths()) {
                String set = values.getOrDefault(path, "");
                if (!set.isEmpty()) {
                    value = set;
                    break;
                }
            }
            selected.put(field.name(), value);
        }
        for (IndexSettings.Field field : indexed) {
            if (put.key().startsWith(field.keyPrefix())) {
                String path = field.path();
                String value =
                        path.startsWith(METADATA)
                                ? StoredJson.field(put.value(), path)
                                : values.getOrDefault(path, "");
                selected.putIfAbsent(path, value);
            }
        }
        return selected;
    }

    private static StoredObject raw(Change.Put put, String unreadable) {
        return encode(put, ContentType.RAW, unreadable, Map.of(), Map.of(), 0);
    }

    private static StoredObject encode(
            Change.Put put,
            ContentType type,
            String unreadable,
            Map<String, String> labels,
            Map<String, String> selected,
            int resourceVersionOffset) {
        return StoredObject.encode(
                put.key(),
                put.value(),
                type,
                put.revision(),
                put.createRevision(),
                put.version(),
                put.lease(),
                unreadable,
                labels,
                selected,
                resourceVersionOffset);
    }

    private static String firstLine(IOException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    /** What one walk gathers. */
    private static final class Found {
        final Map<String, String> labels = new HashMap<>();
        final Map<String, String> values = new HashMap<>();
        int resourceVersionOffset;
    }
}
