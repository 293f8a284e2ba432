package io.tidemark.store;

import io.tidemark.view.Selection.Source;
import io.tidemark.view.StoredObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which labels and fields are indexed. Each costs one more entry for each object that has it, and
 * saves a request that asks for one of its values from looking at all objects of its range.
 * Changing them makes a store rebuild itself from the topic.
 *
 * @param fields paths as in {@link StoredObject#field}, of whatever kind; none in the metadata,
 *     where only the name and the namespace can be selected by
 */
public record IndexSettings(Set<String> labels, Set<String> fields) {
    /** What every kubelet asks for: the pods of its node. */
    public static final IndexSettings DEFAULT =
            new IndexSettings(Set.of(), Set.of("spec.nodeName"));

    /** Longer values are not indexed: an index entry repeats the value for each object. */
    private static final int MAX_VALUE_LENGTH = 512;

    public IndexSettings {
        labels = Set.copyOf(labels);
        fields = Set.copyOf(fields);
        for (String name : labels) {
            requireName(name);
        }
        for (String name : fields) {
            requireName(name);
            if (name.startsWith("metadata.") && !SelectableFields.OF_ALL.contains(name)) {
                throw new IllegalArgumentException("no field to select by: " + name);
            }
        }
    }

    private static void requireName(String name) {
        if (name.isEmpty() || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("no name to index: \"" + name + "\"");
        }
    }

    /** One indexed name. */
    record Declared(Source source, String name) {
        byte marker() {
            return switch (source) {
                case LABEL -> 'l';
                case FIELD -> 'f';
            };
        }

        /** What {@code object} is indexed under; null when it is not in this index. */
        @Nullable String indexedValue(@Nullable StoredObject object) {
            if (object == null) {
                return null;
            }
            @Nullable String value =
                    switch (source) {
                        case LABEL -> object.label(name);
                        case FIELD -> object.extractedField(name);
                    };
            return value != null && isIndexable(value) ? value : null;
        }

        /** Whether every object with this value is in the index. */
        boolean isIndexable(String value) {
            // A field that is not set reads as empty, and is not in the index.
            boolean present = source == Source.LABEL || !value.isEmpty();
            return present && value.length() <= MAX_VALUE_LENGTH && value.indexOf('\0') < 0;
        }
    }

    /** In a stable order. */
    List<Declared> declared() {
        Set<Declared> all = new LinkedHashSet<>();
        labels.stream().sorted().forEach(name -> all.add(new Declared(Source.LABEL, name)));
        fields.stream().sorted().forEach(name -> all.add(new Declared(Source.FIELD, name)));
        return List.copyOf(all);
    }
}
