package io.tidemark.query.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The subset of JSONPath that columns of custom resources use: members, elements, all elements, and
 * elements that have a member with a certain value, {@code .status.conditions[?(@.type=="Ready")]
 * .status}. Anything else is not parsed, and its cells are empty.
 */
final class SimplePath {
    private static final int MAX_STEPS = 64;

    private final List<Step> steps;

    private SimplePath(List<Step> steps) {
        this.steps = steps;
    }

    private sealed interface Step {
        record Member(String name) implements Step {}

        /** A negative index counts from the end. */
        record Element(int index) implements Step {}

        record All() implements Step {}

        record Where(SimplePath path, boolean equal, String value) implements Step {}
    }

    /** Empty when it is not such a path. */
    static Optional<SimplePath> parse(String text) {
        try {
            String path =
                    text.startsWith("{") && text.endsWith("}")
                            ? text.substring(1, text.length() - 1)
                            : text;
            return Optional.of(new SimplePath(new Reader(path).steps()));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** The first match. */
    Optional<JsonNode> first(JsonNode from) {
        return first(from, 0);
    }

    private Optional<JsonNode> first(JsonNode node, int step) {
        if (step == steps.size()) {
            return Optional.of(node);
        }
        return switch (steps.get(step)) {
            case Step.Member(String name) -> next(node.get(name), step);
            case Step.Element(int index) ->
                    next(
                            node.isArray()
                                    ? node.get(index < 0 ? node.size() + index : index)
                                    : null,
                            step);
            case Step.All() -> {
                for (JsonNode child : node) {
                    Optional<JsonNode> found = first(child, step + 1);
                    if (found.isPresent()) {
                        yield found;
                    }
                }
                yield Optional.empty();
            }
            case Step.Where where -> {
                for (JsonNode child : node) {
                    Optional<JsonNode> found =
                            holds(where, child) ? first(child, step + 1) : Optional.empty();
                    if (found.isPresent()) {
                        yield found;
                    }
                }
                yield Optional.empty();
            }
        };
    }

    private Optional<JsonNode> next(@Nullable JsonNode node, int step) {
        return node == null ? Optional.empty() : first(node, step + 1);
    }

    private static boolean holds(Step.Where where, JsonNode child) {
        return where.path()
                .first(child)
                .map(value -> value.asText("").equals(where.value()) == where.equal())
                .orElse(false);
    }

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        List<Step> steps() {
            List<Step> steps = new ArrayList<>();
            while (at < text.length()) {
                if (steps.size() == MAX_STEPS) {
                    throw new IllegalArgumentException(text);
                }
                if (text.charAt(at) == '[') {
                    steps.add(bracket());
                } else if (text.charAt(at) == '.') {
                    at++;
                    String name = name();
                    if (!name.isEmpty()) {
                        steps.add(name.equals("*") ? new Step.All() : new Step.Member(name));
                    } else if (at < text.length() && text.charAt(at) == '.') {
                        throw new IllegalArgumentException(text); // Descends: not supported.
                    }
                } else {
                    throw new IllegalArgumentException(text);
                }
            }
            return steps;
        }

        /** Reads up to the next dot or bracket; a backslash escapes the next character. */
        private String name() {
            StringBuilder name = new StringBuilder();
            while (at < text.length() && text.charAt(at) != '.' && text.charAt(at) != '[') {
                if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                    at++;
                }
                name.append(text.charAt(at++));
            }
            return name.toString();
        }

        private Step bracket() {
            int end = closing();
            String inside = text.substring(at + 1, end).strip();
            at = end + 1;
            if (inside.equals("*")) {
                return new Step.All();
            }
            if (inside.startsWith("?(") && inside.endsWith(")")) {
                return where(inside.substring(2, inside.length() - 1));
            }
            return isQuoted(inside)
                    ? new Step.Member(unquoted(inside))
                    : new Step.Element(Integer.parseInt(inside));
        }

        private int closing() {
            char quote = 0;
            for (int i = at + 1; i < text.length(); i++) {
                char c = text.charAt(i);
                if (quote != 0) {
                    quote = c == quote ? 0 : quote;
                } else if (c == '"' || c == '\'') {
                    quote = c;
                } else if (c == ']') {
                    return i;
                }
            }
            throw new IllegalArgumentException(text);
        }

        private static Step where(String condition) {
            int equals = condition.indexOf("==");
            int differs = condition.indexOf("!=");
            int operator = equals < 0 ? differs : differs < 0 ? equals : Math.min(equals, differs);
            String path = operator < 0 ? "" : condition.substring(0, operator).strip();
            if (!path.startsWith("@")) {
                throw new IllegalArgumentException(condition);
            }
            String value = condition.substring(operator + 2).strip();
            if (path.contains("[?")) {
                throw new IllegalArgumentException(condition);
            }
            return new Step.Where(
                    new SimplePath(new Reader(path.substring(1)).steps()),
                    operator == equals,
                    isQuoted(value) ? unquoted(value) : value);
        }

        private static boolean isQuoted(String text) {
            return text.length() >= 2
                    && (text.charAt(0) == '\'' || text.charAt(0) == '"')
                    && text.charAt(text.length() - 1) == text.charAt(0);
        }

        private static String unquoted(String text) {
            return text.substring(1, text.length() - 1);
        }
    }
}
