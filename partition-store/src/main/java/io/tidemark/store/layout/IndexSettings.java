package io.tidemark.store.layout;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is indexed: labels of all objects, and fields of the objects below a key prefix. Each index
 * costs one entry per object that has the label, or lies below the prefix; and saves a request for
 * one of its values the scan of all objects in its range. After a change of these settings a store
 * rebuilds its index, see {@code IndexRebuild}.
 */
public record IndexSettings(Set<String> labels, Set<Field> fields) {
    /** The request of every kubelet: the pods of its node. */
    public static final IndexSettings DEFAULT =
            new IndexSettings(
                    Set.of(), Set.of(new Field(Bytes.utf8("/registry/pods/"), "spec.nodeName")));

    /** Longer values are not indexed: an index entry repeats the value for each object. */
    private static final int MAX_VALUE_LENGTH = 512;

    public IndexSettings {
        labels = Set.copyOf(labels);
        fields = Set.copyOf(fields);
        labels.forEach(IndexSettings::requireName);
    }

    private static void requireName(String name) {
        if (name.isEmpty() || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("invalid name to index: \"" + name + "\"");
        }
    }

    /**
     * An indexed field.
     *
     * @param keyPrefix of the objects, such as {@code /registry/pods/}
     * @param path see {@link io.tidemark.view.object.FieldPath}; of a scalar
     */
    public record Field(Bytes keyPrefix, String path) implements Comparable<Field> {
        public Field {
            requireName(path);
        }

        @Override
        public int compareTo(Field other) {
            int byPrefix = keyPrefix.compareTo(other.keyPrefix);
            return byPrefix != 0 ? byPrefix : path.compareTo(other.path);
        }
    }

    /**
     * One index.
     *
     * @param keyPrefix of the objects in it; {@link Bytes#EMPTY} for all
     */
    public record Declared(Source source, String name, Bytes keyPrefix) {
        byte marker() {
            return switch (source) {
                case LABEL -> 'l';
                case FIELD -> 'f';
            };
        }

        /** In the form in which an API server names its indexes. */
        public String label() {
            return (char) marker() + ":" + name;
        }

        /** Whether objects with this key belong to the index. */
        public boolean covers(Bytes key) {
            return key.startsWith(keyPrefix);
        }

        /** The value that an object is indexed under; null when it is not in this index. */
        public @Nullable String indexedValue(@Nullable StoredObject object) {
            if (object == null || !covers(object.key())) {
                return null;
            }
            @Nullable String value =
                    switch (source) {
                        case LABEL -> object.label(name);
                        case FIELD -> object.field(name);
                    };
            return value != null && isIndexable(value) ? value : null;
        }

        /** Whether this value of a covered object is indexed. */
        public static boolean isIndexable(String value) {
            return value.length() <= MAX_VALUE_LENGTH && value.indexOf('\0') < 0;
        }
    }

    /** All indexes, in a stable order. */
    public List<Declared> declared() {
        Set<Declared> all = new LinkedHashSet<>();
        new TreeSet<>(labels)
                .forEach(name -> all.add(new Declared(Source.LABEL, name, Bytes.EMPTY)));
        new TreeSet<>(fields)
                .forEach(field ->
                        all.add(new Declared(Source.FIELD, field.path(), field.keyPrefix())));
        return List.copyOf(all);
    }
}
