package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.store.IndexSettings.Declared;
import io.tidemark.view.Selection;
import io.tidemark.view.Selection.Operator;
import io.tidemark.view.Selection.Requirement;
import io.tidemark.view.Selection.Source;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The index entries that hold every key of a range that a selection can match. */
record IndexChoice(Declared declared, Set<String> values) {
    /** With more values, reading them side by side costs more than looking at all objects. */
    private static final int MAX_VALUES = 16;

    /** Few objects share a field's value; labels are shared by many. */
    private static final Comparator<IndexChoice> NARROWEST_FIRST =
            Comparator.<IndexChoice>comparingInt(choice -> choice.values().size())
                    .thenComparing(choice -> choice.declared().source() == Source.LABEL);

    /**
     * The index with the fewest values to look under; empty when none can be used.
     *
     * @param prefix of all keys that are asked for
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
}
