package io.tidemark.query.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A step of a {@link JsonPath}: it makes values of those that the step before it found. */
sealed interface PathStep {
    /** A member of objects; other values have none. */
    record Member(String name) implements PathStep {}

    /** All members or elements: {@code .*}. */
    record Children() implements PathStep {}

    /** The values themselves and all below them that are not empty: {@code ..}. */
    record Descendants() implements PathStep {}

    /**
     * Elements of arrays. Negative positions count from the end.
     *
     * @param to exclusive; null for the end
     * @param single whether the path names one element, so that a {@code to} of 0 is the end
     * @param step null for 1
     */
    record Slice(long from, @Nullable Long to, boolean single, @Nullable Long step)
            implements PathStep {}

    /** Elements of arrays for which the left side exists. */
    record Exists(List<PathStep> left) implements PathStep {}

    /** Elements of arrays for which a comparison holds. */
    record Where(List<PathStep> left, String operator, List<PathStep> right) implements PathStep {}

    /** What each of the branches finds, one branch after the other. */
    record Union(List<List<PathStep>> branches) implements PathStep {}

    /** A quoted text: one value, for any number of values before it. */
    record Text(JsonNode text) implements PathStep {}

    /** A number or a boolean, for each value before it. */
    record Literal(JsonNode value) implements PathStep {}

    /** A word without a meaning here. */
    record Word() implements PathStep {}
}
