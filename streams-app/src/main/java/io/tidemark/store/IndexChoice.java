package io.tidemark.store;

import io.tidemark.view.Selection;
import io.tidemark.view.Selection.Operator;
import io.tidemark.view.Selection.Requirement;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The index entries that hold every key a selection can match. */
record IndexChoice(IndexSettings.Declared declared, Set<String> values) {
    /** With more values, reading them side by side costs more than looking at all objects. */
    private static final int MAX_VALUES = 16;

    /** The index with the fewest values to look under; empty when none can be used. */
    static Optional<IndexChoice> of(Selection selection, List<IndexSettings.Declared> indexes) {
        return selection.requirements().stream()
                .filter(IndexChoice::isNarrow)
                .map(requirement ->
                        new IndexChoice(
                                new IndexSettings.Declared(
                                        requirement.source(), requirement.name()),
                                requirement.values()))
                .filter(choice -> indexes.contains(choice.declared()))
                .filter(choice -> choice.values().stream().allMatch(choice.declared()::isIndexable))
                .min(Comparator.comparingInt(choice -> choice.values().size()));
    }

    private static boolean isNarrow(Requirement requirement) {
        return requirement.operator() == Operator.IN && requirement.values().size() <= MAX_VALUES;
    }
}
