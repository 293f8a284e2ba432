package io.tidemark.query.table;

import io.tidemark.query.json.GoJson;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses what the API server's parser accepts, to the same meaning, and refuses what it refuses:
 * the API server drops a column whose path it refuses, and the columns after it.
 */
final class PathParser {
    private static final Pattern SLICE =
            Pattern.compile("(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?", Pattern.DOTALL);
    private static final String FILTER = "[?(";

    private final String text;
    private int at;

    private PathParser(String text) {
        this.text = text;
    }

    /**
     * @param expression without the braces around it
     * @throws IllegalArgumentException when it is refused
     */
    static List<PathStep> parse(String expression) {
        PathParser parser = new PathParser(expression + "}");
        List<PathStep> steps = parser.steps();
        // An expression that closes itself may be followed by text with further ones.
        for (int open = parser.nextBrace(); open >= 0; open = parser.nextBrace()) {
            parser.at = open + 1;
            parser.steps();
        }
        return steps;
    }

    private int nextBrace() {
        return text.indexOf('{', at);
    }

    /** Reads through the closing brace. */
    private List<PathStep> steps() {
        List<PathStep> steps = new ArrayList<>();
        while (current() != '}') {
            step(steps);
        }
        at++;
        return steps;
    }

    private char current() {
        if (at >= text.length()) {
            throw refused();
        }
        return text.charAt(at);
    }

    private IllegalArgumentException refused() {
        return new IllegalArgumentException(text);
    }

    private void step(List<PathStep> steps) {
        if (text.startsWith(FILTER, at)) {
            steps.add(filter());
        } else if (text.startsWith("..", at)) {
            descend(steps);
        } else {
            switch (current()) {
                case ' ', '@', '$' -> at++;
                case '[' -> brackets(steps);
                case '"', '\'' -> steps.add(quoted());
                case '.' -> {
                    at++;
                    steps.add(member());
                }
                case '+', '-' -> steps.add(number());
                default -> {
                    if (!isAlphanumeric()) {
                        throw refused();
                    }
                    steps.add(Character.isDigit(text.codePointAt(at)) ? number() : word());
                }
            }
        }
    }

    private boolean isAlphanumeric() {
        int c = text.codePointAt(at);
        return c == '_' || Character.isLetter(c) || Character.isDigit(c);
    }

    private void descend(List<PathStep> steps) {
        if (!steps.isEmpty() && steps.getLast() instanceof PathStep.Descendants) {
            throw refused();
        }
        at += "..".length();
        steps.add(new PathStep.Descendants());
        if (at < text.length() && isAlphanumeric()) {
            steps.add(member());
        }
    }

    /** Reads a name, in which a backslash escapes the next character. */
    private PathStep member() {
        String name = untilEnd(true);
        return name.equals("*")
                ? new PathStep.Children()
                : new PathStep.Member(name.replace("\\", ""));
    }

    private PathStep word() {
        String word = untilEnd(false);
        return word.equals("true") || word.equals("false")
                ? new PathStep.Literal(GoJson.NODES.booleanNode(word.equals("true")))
                : new PathStep.Word();
    }

    private String untilEnd(boolean escapes) {
        int from = at;
        while (at < text.length() && " \t\r\n.,[]$@{}".indexOf(text.charAt(at)) < 0) {
            at += escapes && text.charAt(at) == '\\' ? 2 : 1;
        }
        at = Math.min(at, text.length());
        return text.substring(from, at);
    }

    private PathStep number() {
        int from = at++;
        while (Character.isDigit(current()) || current() == '.') {
            at++;
        }
        String number = text.substring(from, at);
        if (!number.matches("[-+.0-9]+")) {
            throw refused(); // Digits of other scripts.
        }
        try {
            return new PathStep.Literal(GoJson.NODES.numberNode(Long.parseLong(number)));
        } catch (NumberFormatException notWhole) {
            double value = Double.parseDouble(number);
            if (Double.isInfinite(value)) {
                throw refused();
            }
            return new PathStep.Literal(GoJson.NODES.numberNode(value));
        }
    }

    private PathStep quoted() {
        int from = at;
        char quote = text.charAt(at++);
        while (current() != quote || text.charAt(at - 1) == '\\') {
            if (current() == '\n') {
                throw refused();
            }
            at++;
        }
        at++;
        return new PathStep.Text(
                GoJson.NODES.textNode(GoText.unquoted(text.substring(from + 1, at - 1), quote)));
    }

    /** Reads through the next bracket, even if it is quoted. */
    private void brackets(List<PathStep> steps) {
        int end = text.indexOf(']', at);
        String inside = end < 0 ? "\n" : text.substring(at + 1, end);
        if (inside.indexOf('\n') >= 0) {
            throw refused();
        }
        at = end + 1;
        if (inside.indexOf(',') >= 0) {
            List<List<PathStep>> branches = new ArrayList<>();
            for (String branch : inside.split(",", -1)) {
                branches.add(parse("[" + withoutSpaces(branch) + "]"));
            }
            steps.add(new PathStep.Union(branches));
        } else if (inside.matches("'[^']*'")) {
            // Dots inside the quotes separate members.
            steps.addAll(parse("." + inside.substring(1, inside.length() - 1)));
        } else {
            steps.add(slice(inside.equals("*") ? ":" : inside));
        }
    }

    /** Without spaces around it; other white space stays. */
    private static String withoutSpaces(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && text.charAt(from) == ' ') {
            from++;
        }
        while (from < to && text.charAt(to - 1) == ' ') {
            to--;
        }
        return text.substring(from, to);
    }

    private PathStep slice(String inside) {
        Matcher parts = SLICE.matcher(inside);
        if (!parts.matches()) {
            throw refused();
        }
        long from = parts.group(1).isEmpty() ? 0 : Long.parseLong(parts.group(1));
        boolean single = parts.group(2) == null;
        return new PathStep.Slice(
                from,
                single ? Long.valueOf(from + 1) : position(parts.group(2)),
                single,
                position(parts.group(3)));
    }

    /**
     * @param part with a colon before it
     */
    private static @Nullable Long position(@Nullable String part) {
        return part == null || part.length() == 1 ? null : Long.valueOf(part.substring(1));
    }

    /** Reads through the parenthesis and bracket that follow the first quoted text, if any. */
    private PathStep filter() {
        at += FILTER.length();
        int from = at;
        char quote = 0;
        boolean closed = true;
        for (char c = current(); c != ')' || !closed; c = current()) {
            if (c == '\n') {
                throw refused();
            }
            if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
                closed = false;
            } else if (c == quote && text.charAt(at - 1) != '\\') {
                closed = true;
            }
            at++;
        }
        String condition = text.substring(from, at);
        at++;
        if (current() != ']') {
            throw refused();
        }
        at++;
        return condition(condition);
    }

    private static PathStep condition(String condition) {
        int operator = 0;
        while (operator < condition.length() && !isOperator(condition.charAt(operator))) {
            operator++;
        }
        int right = operator;
        while (right < condition.length() - 1 && isOperator(condition.charAt(right))) {
            right++;
        }
        return operator == 0 || right == operator
                ? new PathStep.Exists(parse(condition))
                : new PathStep.Where(
                        parse(condition.substring(0, operator)),
                        condition.substring(operator, right),
                        parse(condition.substring(right)));
    }

    private static boolean isOperator(char c) {
        return "!<>=".indexOf(c) >= 0;
    }
}
