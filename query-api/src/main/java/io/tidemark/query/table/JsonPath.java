package io.tidemark.query.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * A JSONPath as the API server reads those of printer columns, which is a dialect: {@code
 * .status.conditions[?(@.type=="Ready")].status}. Its loops ({@code range} and {@code end}) find
 * nothing, and only the first of several expressions counts.
 */
final class JsonPath {
    private final List<PathStep> steps;

    private JsonPath(List<PathStep> steps) {
        this.steps = steps;
    }

    /**
     * Empty when the API server refuses it.
     *
     * @param expression without the braces around it
     */
    static Optional<JsonPath> parse(String expression) {
        try {
            return Optional.of(new JsonPath(PathParser.parse(expression)));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** The first match; empty as well when the path does not fit the object. */
    Optional<JsonNode> first(JsonNode object) {
        return PathEvaluation.first(steps, object);
    }
}
