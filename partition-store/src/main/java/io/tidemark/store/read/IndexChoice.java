package io.tidemark.store.read;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.KeyValueEngine.Snapshot;
import io.tidemark.store.layout.IndexSettings.Declared;
import io.tidemark.store.layout.KeyLayout;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The index entries that cover every key of a range that a selection can match. */
record IndexChoice(Declared declared, Set<String> values) {
    /** With more values, merging their entries costs more than a scan of all objects. */
    private static final int MAX_VALUES = 16;

    /** Fields first among equals: few objects share a field's value, many share a label's. */
    private static final Comparator<IndexChoice> NARROWEST_FIRST =
            Comparator.<IndexChoice>comparingInt(choice -> choice.values().size())
                    .thenComparing(choice -> choice.declared().source() == Source.LABEL);

    /**
     * The usable index with the fewest values; empty when there is none.
     *
     * @param prefix of the request's range
     */
    static Optional<IndexChoice> of(Bytes prefix, Selection selection, List<Declared> indexes) {
        return selection.requirements().stream()
                .filter(IndexChoice::isNarrow)
                .flatMap(requirement ->
                        indexes.stream()
                                .filter(declared -> holds(declared, requirement, prefix))
                                .map(declared -> new IndexChoice(declared, requirement.values())))
                .min(NARROWEST_FIRST);
    }

    private static boolean isNarrow(Requirement requirement) {
        return requirement.operator() == Operator.IN
                && requirement.values().size() <= MAX_VALUES
                && requirement.values().stream().allMatch(Declared::isIndexable);
    }

    private static boolean holds(Declared declared, Requirement requirement, Bytes prefix) {
        return declared.source() == requirement.source()
                && declared.name().equals(requirement.name())
                && declared.covers(prefix);
    }

    /** The keys of a range that the index has under any of the values. */
    KeyStream keys(Snapshot snapshot, KeyRange range) {
        List<CursorKeys> entries = new ArrayList<>();
        for (String value : values) {
            Bytes before = KeyLayout.indexValue(declared, value);
            Bytes end =
                    range.toExclusive().length() == 0
                            ? before.prefixEnd()
                            : before.concat(range.toExclusive());
            Cursor cursor = snapshot.scan(Family.INDEX, before.concat(range.fromInclusive()), end);
            entries.add(new CursorKeys(cursor, before.length()));
        }
        return new MergedKeys(entries);
    }
}
