package io.tidemark.store.layout;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredObject;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which fields are indexed besides all labels: fields of the objects below a key prefix. Each index
 * costs one entry per object below the prefix, and saves a request for one of its values the scan
 * of all objects in its range. After a change of these settings a store rebuilds its index, see
 * {@code IndexRebuild}.
 */
public record IndexSettings(Set<Field> fields) {
    /** The request of every kubelet: the pods of its node. */
    public static final IndexSettings DEFAULT =
            new IndexSettings(Set.of(new Field(Bytes.utf8("/registry/pods/"), "spec.nodeName")));

    public IndexSettings {
        fields = Set.copyOf(fields);
    }

    /**
     * An indexed field.
     *
     * @param keyPrefix of the objects, such as {@code /registry/pods/}; {@link Bytes#EMPTY} for all
     * @param path see {@link io.tidemark.view.object.FieldPath}; of a scalar
     */
    public record Field(Bytes keyPrefix, String path) implements Comparable<Field> {
        public Field {
            if (path.isEmpty() || path.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("invalid field to index: \"" + path + "\"");
            }
        }

        /** In the form in which an API server names its indexes. */
        public String label() {
            return "f:" + path;
        }

        /** Whether objects with this key belong to the index. */
        public boolean covers(Bytes key) {
            return key.startsWith(keyPrefix);
        }

        /** The value that an object is indexed under; null when it is not in this index. */
        @Nullable String indexedValue(@Nullable StoredObject object) {
            if (object == null || !covers(object.key())) {
                return null;
            }
            String value = object.field(path);
            return IndexEntries.isIndexable(value) ? value : null;
        }

        @Override
        public int compareTo(Field other) {
            int byPrefix = keyPrefix.compareTo(other.keyPrefix);
            return byPrefix != 0 ? byPrefix : path.compareTo(other.path);
        }
    }

    /** The fields in a stable order. */
    public List<Field> ordered() {
        return List.copyOf(new TreeSet<>(fields));
    }
}
