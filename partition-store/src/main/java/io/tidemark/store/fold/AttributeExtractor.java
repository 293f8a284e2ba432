package io.tidemark.store.fold;

import io.tidemark.json.MalformedJsonException;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import io.tidemark.record.secret.PutSealer;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.view.object.MetadataCut;
import io.tidemark.view.object.PathTree;
import io.tidemark.view.object.StoredJson;
import io.tidemark.view.object.StoredObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Encodes a put for the store: reads a Kubernetes object once, in one pass without building a tree,
 * for the attributes that selectors may need later. Thread-safe. Never fails: a value that is not
 * the object it claims to be is stored unchanged, marked unreadable.
 */
final class AttributeExtractor {
    static final String NAME = "metadata.name";
    static final String NAMESPACE = "metadata.namespace";
    static final String UID = "metadata.uid";

    /** The walk visits few members below this path; other declared fields are read separately. */
    private static final String METADATA = "metadata.";

    private final SelectableFields fields;
    private final Set<IndexSettings.Field> indexed;
    private final PathTree paths;
    private final Optional<PutSealer> sealer;

    /**
     * @param indexed declared fields to extract besides the selectable ones
     */
    AttributeExtractor(SelectableFields fields, Set<IndexSettings.Field> indexed) {
        this(fields, indexed, Optional.empty());
    }

    /**
     * @param sealer decrypts Secrets; empty to store none
     */
    AttributeExtractor(
            SelectableFields fields, Set<IndexSettings.Field> indexed, Optional<PutSealer> sealer) {
        this.sealer = sealer;
        this.fields = fields;
        this.indexed = Set.copyOf(indexed);
        this.paths = new PathTree();
        paths.add("apiVersion");
        paths.add("kind");
        paths.add(NAME);
        paths.add(NAMESPACE);
        paths.add(UID);
        fields.paths().forEach(paths::add);
        indexed.forEach(field -> paths.add(field.path()));
    }

    /** An encrypted Secret that cannot be decrypted is stored without value, as unreadable. */
    StoredObject store(Change.Put put) {
        return put.isEncrypted() ? storeSecret(put) : storePlain(put);
    }

    private StoredObject storeSecret(Change.Put put) {
        PutSealer.Result opened =
                sealer.map(present -> present.open(put))
                        .orElseGet(() ->
                                new PutSealer.Result.Locked(
                                        PutSealer.missing(put.encryptedWith())));
        return switch (opened) {
            case PutSealer.Result.Plain(Change.Put plain) -> storePlain(plain).asSecret();
            case PutSealer.Result.Locked(String reason) ->
                    raw(put.withValue(Bytes.EMPTY, ContentType.RAW, reason), reason);
        };
    }

    private StoredObject storePlain(Change.Put put) {
        if (put.contentType() == ContentType.RAW) {
            return raw(put, put.unreadable());
        }
        ObjectScan found;
        try {
            found = ObjectScan.of(put.value(), paths);
        } catch (MalformedJsonException e) {
            return raw(put, "the value is no JSON object: " + e.problem());
        }
        if (!spells(put.value(), found.resourceVersionOffset(), put.revision())) {
            return raw(put, "metadata.resourceVersion is not \"" + put.revision() + "\"");
        }
        return StoredObject.encode(
                put.key(),
                put.value(),
                ContentType.KUBERNETES_JSON,
                put.revision(),
                put.createRevision(),
                put.version(),
                put.lease(),
                "",
                found.labels(),
                select(put, found.values()),
                found.resourceVersionOffset(),
                MetadataCut.at(put.value().array(), found.metadataFrom(), found.metadataTo()));
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

    private Map<String, String> select(Change.Put put, Map<String, String> values) {
        Map<String, String> selected = new HashMap<>();
        selected.put(NAME, values.getOrDefault(NAME, ""));
        selected.put(NAMESPACE, values.getOrDefault(NAMESPACE, ""));
        selected.put(UID, values.getOrDefault(UID, ""));
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
        return StoredObject.encode(
                put.key(),
                put.value(),
                ContentType.RAW,
                put.revision(),
                put.createRevision(),
                put.version(),
                put.lease(),
                unreadable,
                Map.of(),
                Map.of(),
                0);
    }
}
