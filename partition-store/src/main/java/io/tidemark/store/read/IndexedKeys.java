package io.tidemark.store.read;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.KeyValueEngine.Snapshot;
import io.tidemark.store.layout.IndexEntries;
import io.tidemark.store.layout.IndexSettings.Field;
import io.tidemark.store.layout.KeyLayout;
import io.tidemark.view.object.HashRange;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The requirements of a selection that the index answers: equality and small sets, of labels and of
 * indexed fields, and small shards. The keys that have an entry for each of them include every key
 * that the selection can match.
 *
 * @param name for the page: the field, or {@link #LABELS}
 */
record IndexedKeys(List<Requirement> requirements, String name) {
    /** Clients choose the names of labels, and metrics cannot hold them all. */
    static final String LABELS = "labels";

    /** With more values or buckets, merging their entries costs more than a scan of all objects. */
    private static final int MAX_VALUES = 16;

    /** Each takes cursors; the first few narrow the keys enough. */
    private static final int MAX_REQUIREMENTS = 4;

    /** Fields first among equals: few objects share a field's value, many share a label's. */
    private static final Comparator<Requirement> NARROWEST_FIRST =
            Comparator.comparingInt(IndexedKeys::width)
                    .thenComparing(requirement -> requirement.source() == Source.LABEL);

    /**
     * Empty when the index answers none of the requirements.
     *
     * @param prefix of the request's range
     */
    static Optional<IndexedKeys> of(Bytes prefix, Selection selection, List<Field> fields) {
        List<Requirement> usable =
                selection.requirements().stream()
                        .filter(requirement -> isIndexed(requirement, prefix, fields))
                        .sorted(NARROWEST_FIRST)
                        .limit(MAX_REQUIREMENTS)
                        .toList();
        return usable.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new IndexedKeys(
                                usable,
                                usable.stream()
                                        .filter(each -> each.source() == Source.FIELD)
                                        .findFirst()
                                        .map(field -> "f:" + field.name())
                                        .orElse(LABELS)));
    }

    private static boolean isIndexed(Requirement requirement, Bytes prefix, List<Field> fields) {
        if (width(requirement) > MAX_VALUES) {
            return false;
        }
        if (requirement.operator() == Operator.HASH_IN) {
            return IndexEntries.isHashed(requirement.name());
        }
        return requirement.operator() == Operator.IN
                && switch (requirement.source()) {
                    case LABEL ->
                            requirement.values().stream()
                                    .allMatch(value ->
                                            IndexEntries.isIndexable(requirement.name(), value));
                    case FIELD ->
                            fields.stream()
                                            .anyMatch(field ->
                                                    field.path().equals(requirement.name())
                                                            && field.covers(prefix))
                                    && requirement.values().stream()
                                            .allMatch(IndexEntries::isIndexable);
                };
    }

    /** How many entries' prefixes a requirement looks at. */
    private static int width(Requirement requirement) {
        return requirement.operator() == Operator.HASH_IN
                ? HashRange.buckets(requirement.values()).cardinality()
                : requirement.values().size();
    }

    /** The keys of a range that have entries for all of the requirements; possibly some more. */
    KeyStream keys(Snapshot snapshot, KeyRange range) {
        List<KeyStream> all = new ArrayList<>();
        for (Requirement requirement : requirements) {
            all.add(keys(snapshot, range, requirement));
        }
        return all.size() == 1 ? all.getFirst() : new CommonKeys(all);
    }

    private static KeyStream keys(Snapshot snapshot, KeyRange range, Requirement requirement) {
        List<CursorKeys> entries = new ArrayList<>();
        for (Bytes before : prefixes(requirement)) {
            entries.add(entries(snapshot, range, before));
        }
        return entries.size() == 1 ? entries.getFirst() : new MergedKeys(entries);
    }

    /** What precedes the key in the entries of each object that can match. */
    private static List<Bytes> prefixes(Requirement requirement) {
        String name = requirement.name();
        if (requirement.operator() == Operator.HASH_IN) {
            return HashRange.buckets(requirement.values()).stream()
                    .mapToObj(bucket -> IndexEntries.hashBucket(name, bucket))
                    .toList();
        }
        List<Bytes> prefixes = new ArrayList<>();
        for (String value : requirement.values()) {
            prefixes.add(KeyLayout.indexValue(requirement.source(), name, value));
        }
        if (requirement.source() == Source.LABEL) {
            prefixes.add(IndexEntries.tooManyLabels());
        }
        return prefixes;
    }

    private static CursorKeys entries(Snapshot snapshot, KeyRange range, Bytes before) {
        Bytes end =
                range.toExclusive().length() == 0
                        ? before.prefixEnd()
                        : before.concat(range.toExclusive());
        Cursor cursor = snapshot.scan(Family.INDEX, before.concat(range.fromInclusive()), end);
        return new CursorKeys(cursor, before);
    }
}
