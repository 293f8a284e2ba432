package io.tidemark.store.fold;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.view.object.PathTree;
import io.tidemark.view.object.StoredJson;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a put for the store: reads a Kubernetes object once, in one pass without building a tree,
 * for the attributes that selectors may need later. Thread-safe. Never fails: a value that is not
 * the object it claims to be is stored unchanged, marked unreadable.
 */
final class AttributeExtractor {
    private static final String NAME = "metadata.name";
    private static final String NAMESPACE = "metadata.namespace";

    /** The walk visits few members below this path; other declared fields are read separately. */
    private static final String METADATA = "metadata.";

    private final SelectableFields fields;
    private final Set<IndexSettings.Field> indexed;
    private final PathTree paths;

    /**
     * @param indexed declared fields to extract besides the selectable ones
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

    /** Whether the decimal digits of a revision lie at this offset, between quotes. */
    private static boolean spells(Bytes value, int offset, long revision) {
        String expected = "\"" + revision + "\"";
        int from = offset - 1;
        if (from < 0 || from + expected.length() > value.length()) {
            return false;
        }
        for (int i = 0; i < expected.length(); i++) {
            if (value.at(from + i) != expected.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Walks the object at whose start the parser is, down the paths of the tree only. */
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

    /** Booleans and numbers count as their text; null, lists and objects count as not set. */
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

    /** The result of one walk. */
    private static final class Found {
        final Map<String, String> labels = new HashMap<>();
        final Map<String, String> values = new HashMap<>();
        int resourceVersionOffset;
    }
}
