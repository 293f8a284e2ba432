package io.tidemark.view;

import io.tidemark.view.Selection.Requirement;
import java.util.List;

/**
 * How much one request may ask of each object, in its label and field selectors together. What an
 * object costs to match follows from these: a look at its attributes for each term, and one pass
 * over its value.
 */
public final class SelectionBounds {
    /** Terms in all. */
    public static final int TERMS = 64;

    /** Values that terms compare with, in all. */
    public static final int VALUES = 1_000;

    /** Distinct fields that are not among the attributes, so that the value is read for them. */
    public static final int VALUE_FIELDS = 8;

    private SelectionBounds() {}

    /** How many values some terms compare with. */
    public static int values(List<Requirement> requirements) {
        return requirements.stream().mapToInt(each -> each.values().size()).sum();
    }
}
