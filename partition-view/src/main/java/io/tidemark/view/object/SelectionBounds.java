package io.tidemark.view.object;

import io.tidemark.view.object.Selection.Requirement;
import java.util.List;

/**
 * Bounds a request's label and field selectors together. They bound the cost of matching an object:
 * one attribute lookup per term, and one pass over its value.
 */
public final class SelectionBounds {
    /** All terms. */
    public static final int TERMS = 64;

    /** All values of all terms. */
    public static final int VALUES = 1_000;

    /** Distinct fields that are not among the attributes, so that matching reads the value. */
    public static final int VALUE_FIELDS = 8;

    private SelectionBounds() {}

    /** How many values the requirements compare with, in total. */
    public static int values(List<Requirement> requirements) {
        return requirements.stream().mapToInt(each -> each.values().size()).sum();
    }
}
