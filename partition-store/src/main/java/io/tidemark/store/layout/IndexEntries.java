package io.tidemark.store.layout;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.layout.IndexSettings.Field;
import io.tidemark.view.object.HashRange;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The entries of an object in {@code index}: one for each of its labels, one for each indexed
 * field, and one for each field by whose hash clients divide objects into shards. They change only
 * when labels or these fields do. An object with too many labels has a single entry for all of
 * them, {@link #TOO_MANY}, under which every selector of labels looks too. The entry for a hash
 * holds its {@link HashRange#bucket} only, so that few cursors cover a shard.
 */
public final class IndexEntries {
    /** The labels of an object that has too many: no selector can name the empty label. */
    private static final Map<String, String> TOO_MANY = Map.of("", "");

    /** The fields by whose hash objects are divided; attributes of each object. */
    private static final List<String> HASHED = List.of("metadata.uid", "metadata.namespace");

    /** Bounds the entries of an object; objects of real clusters have few labels. */
    static final int MAX_LABELS = 64;

    /** Longer names and values have no entry: it repeats them for each object. */
    private static final int MAX_LENGTH = 512;

    private IndexEntries() {}

    /** Whether objects with this value of an indexed field have an entry for it. */
    public static boolean isIndexable(String value) {
        return value.length() <= MAX_LENGTH && value.indexOf('\0') < 0;
    }

    /**
     * Whether objects with this label have an entry for it, or for {@linkplain #tooManyLabels too
     * many labels}.
     */
    public static boolean isIndexable(String label, String value) {
        return !label.isEmpty() && isIndexable(label) && isIndexable(value);
    }

    /** The common prefix of the entries of objects with too many labels. */
    public static Bytes tooManyLabels() {
        return KeyLayout.indexValue(Source.LABEL, "", "");
    }

    /** Whether objects have an entry for the hash of this field. */
    public static boolean isHashed(String path) {
        return HASHED.contains(path);
    }

    /** The common prefix of the entries of objects whose hash of a field is in this bucket. */
    public static Bytes hashBucket(String path, int bucket) {
        return KeyLayout.indexValue(Source.FIELD, hashed(path), bucketText(bucket));
    }

    /** No field that is indexed by its value has a name with brackets. */
    private static String hashed(String path) {
        return "hash(" + path + ")";
    }

    private static String bucketText(int bucket) {
        return Integer.toString(bucket, HashRange.BUCKETS);
    }

    /**
     * Replaces the entries of a key.
     *
     * @param previous and {@code next}: null for none
     */
    public static void replace(
            WriteBatch batch,
            List<Field> fields,
            Bytes key,
            @Nullable StoredObject previous,
            @Nullable StoredObject next) {
        for (Field field : fields) {
            update(
                    batch,
                    new Entries(Source.FIELD, field.path(), key),
                    field.indexedValue(previous),
                    field.indexedValue(next));
        }
        for (String path : HASHED) {
            String before = hashedValue(previous, path);
            String after = hashedValue(next, path);
            if (!Objects.equals(before, after)) {
                update(
                        batch,
                        new Entries(Source.FIELD, hashed(path), key),
                        bucketOf(before),
                        bucketOf(after));
            }
        }
        if (previous != null && next != null && previous.hasSameLabels(next)) {
            return;
        }
        Map<String, String> before = indexedLabels(previous);
        Map<String, String> after = indexedLabels(next);
        before.forEach((name, value) ->
                update(batch, new Entries(Source.LABEL, name, key), value, after.get(name)));
        after.forEach((name, value) -> {
            if (!before.containsKey(name)) {
                update(batch, new Entries(Source.LABEL, name, key), null, value);
            }
        });
    }

    private static @Nullable String hashedValue(@Nullable StoredObject object, String path) {
        return object == null || !object.isKubernetes() ? null : object.field(path);
    }

    private static @Nullable String bucketOf(@Nullable String value) {
        return value == null ? null : bucketText(HashRange.bucket(HashRange.hash(value)));
    }

    /** The possible entries of a key for one label or field. */
    private record Entries(Source source, String name, Bytes key) {
        Bytes of(String value) {
            return KeyLayout.index(source, name, value, key);
        }
    }

    private static void update(
            WriteBatch batch, Entries entries, @Nullable String before, @Nullable String after) {
        if (before != null && !before.equals(after)) {
            batch.delete(Family.INDEX, entries.of(before));
        }
        if (after != null && !after.equals(before)) {
            batch.put(Family.INDEX, entries.of(after), Bytes.EMPTY);
        }
    }

    private static Map<String, String> indexedLabels(@Nullable StoredObject object) {
        if (object == null) {
            return Map.of();
        }
        Map<String, String> labels = object.labels();
        if (labels.size() > MAX_LABELS) {
            return TOO_MANY;
        }
        Map<String, String> indexed = new HashMap<>();
        labels.forEach((name, value) -> {
            if (isIndexable(name, value)) {
                indexed.put(name, value);
            }
        });
        return indexed;
    }
}
