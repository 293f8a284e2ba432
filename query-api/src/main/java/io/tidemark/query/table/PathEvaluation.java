package io.tidemark.query.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Evaluates a path on one object, as the API server does: a step finds all of its values before the
 * next one begins, and fails the whole path where one of them does not fit it. A missing member is
 * no failure.
 */
final class PathEvaluation {
    /**
     * Steps, and values that they find or test, for one cell; beyond it the path fails. Definitions
     * are untrusted, and each {@code ..} multiplies the values.
     */
    static final int MAX_WORK = 100_000;

    /** Characters of two texts that are compared for one unit of work. */
    private static final int COMPARED = 64;

    private int work;
    private boolean failed;

    private PathEvaluation() {}

    static Optional<JsonNode> first(List<PathStep> path, JsonNode object) {
        PathEvaluation evaluation = new PathEvaluation();
        List<JsonNode> found = evaluation.all(path, List.of(object));
        return evaluation.failed ? Optional.empty() : found.stream().findFirst();
    }

    /** The values of a path; of a failed one, those that the failed step began with. */
    private List<JsonNode> all(List<PathStep> path, List<JsonNode> from) {
        List<JsonNode> values = from;
        for (PathStep step : path) {
            List<JsonNode> found = new ArrayList<>();
            if (mayWork(1)) {
                take(step, values, found);
            }
            if (failed) {
                break;
            }
            values = found;
        }
        return values;
    }

    private boolean mayWork(int units) {
        work += units;
        failed |= work > MAX_WORK;
        return !failed;
    }

    private void add(JsonNode value, List<JsonNode> to) {
        if (mayWork(1)) {
            to.add(value);
        }
    }

    private void take(PathStep step, List<JsonNode> from, List<JsonNode> found) {
        switch (step) {
            case PathStep.Union(List<List<PathStep>> branches) -> {
                for (List<PathStep> branch : branches) {
                    all(branch, from).forEach(value -> add(value, found));
                }
            }
            case PathStep.Text(JsonNode text) -> add(text, found);
            case PathStep.Word _ -> failed = true;
            default -> {
                for (JsonNode value : from) {
                    if (failed || !take(step, value, found)) {
                        return;
                    }
                }
            }
        }
    }

    /** False when the values after this one do not count. */
    private boolean take(PathStep step, JsonNode value, List<JsonNode> found) {
        switch (step) {
            case PathStep.Member(String name) when value.has(name) -> add(value.get(name), found);
            case PathStep.Children _ -> addChildren(value, found);
            case PathStep.Descendants _ -> descend(value, found);
            case PathStep.Literal(JsonNode literal) -> add(literal, found);
            case PathStep.Slice slice -> {
                return slice(slice, value, found);
            }
            case PathStep.Exists(List<PathStep> left) ->
                    filter(value, element -> exists(left, element), found);
            case PathStep.Where where -> filter(value, element -> holds(where, element), found);
            default -> {
                // A missing member.
            }
        }
        return true;
    }

    private void addChildren(JsonNode value, List<JsonNode> found) {
        for (JsonNode child : value) {
            add(child, found);
            if (failed) {
                return;
            }
        }
    }

    /** Adds containers and texts that are not empty, each before what it contains. */
    private void descend(JsonNode from, List<JsonNode> found) {
        Deque<JsonNode> waiting = new ArrayDeque<>();
        waiting.push(from);
        while (!waiting.isEmpty() && mayWork(1)) {
            JsonNode value = waiting.pop();
            if (value.isTextual() ? !value.textValue().isEmpty() : !value.isEmpty()) {
                found.add(value);
            }
            List<JsonNode> children = new ArrayList<>();
            value.forEach(children::add);
            children.reversed().forEach(waiting::push);
        }
    }

    private boolean slice(PathStep.Slice slice, JsonNode value, List<JsonNode> found) {
        if (value.isNull()) {
            return true;
        }
        int size = value.size();
        long from = slice.from() < 0 ? slice.from() + size : slice.from();
        long to = slice.to() == null ? size : slice.to();
        if (to < 0 || to == 0 && slice.single()) {
            to += size;
        }
        if (value.isArray() && from == to) {
            return false;
        }
        long step = slice.step() == null ? 1 : Math.min(slice.step(), size);
        if (!value.isArray() || from < 0 || from > to || to > size || step <= 0) {
            failed = true;
            return false;
        }
        for (long i = from; i < to && !failed; i += step) {
            add(value.get((int) i), found);
        }
        return true;
    }

    private void filter(JsonNode value, Predicate<JsonNode> test, List<JsonNode> found) {
        if (!value.isArray()) {
            failed = true;
            return;
        }
        for (JsonNode element : value) {
            boolean passes = mayWork(1) && test.test(element);
            if (failed) {
                return;
            }
            if (passes) {
                found.add(element);
            }
        }
    }

    /** A path that does not fit the element counts by what it found before. */
    private boolean exists(List<PathStep> path, JsonNode element) {
        boolean found = !all(path, List.of(element)).isEmpty();
        failed = work > MAX_WORK;
        return found;
    }

    private boolean holds(PathStep.Where where, JsonNode element) {
        List<JsonNode> left = all(where.left(), List.of(element));
        if (failed || left.isEmpty()) {
            return false;
        }
        List<JsonNode> right = all(where.right(), List.of(element));
        if (failed || left.size() == 1 && right.isEmpty()) {
            return false;
        }
        if (left.size() > 1 || right.size() > 1) {
            failed = true;
            return false;
        }
        int length = Math.min(length(left.getFirst()), length(right.getFirst()));
        Optional<Boolean> holds =
                mayWork(length / COMPARED)
                        ? PathComparison.of(left.getFirst(), where.operator(), right.getFirst())
                        : Optional.empty();
        failed |= holds.isEmpty();
        return holds.orElse(false);
    }

    private static int length(JsonNode value) {
        return value.isTextual() ? value.textValue().length() : 0;
    }
}
