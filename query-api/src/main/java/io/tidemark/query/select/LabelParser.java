package io.tidemark.query.select;

import io.tidemark.query.select.LabelToken.Kind;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Parses the tokens of one label selector, in linear time. */
final class LabelParser {
    /** Of the values of a requirement; an API server reports all. */
    private static final int MOST_ERRORS = 20;

    private static final String NOT_INTEGER =
            "for 'Gt', 'Lt' operators, the value must be an integer";

    private final List<LabelToken> tokens;
    private int next;

    LabelParser(List<LabelToken> tokens) {
        this.tokens = tokens;
    }

    List<Requirement> parse() throws BadSelectorException {
        List<Requirement> requirements = new ArrayList<>();
        while (peek() != Kind.END) {
            if (!startsRequirement(peek())) {
                throw new BadSelectorException(
                        "found '%s', expected: !, identifier, or 'end of string'"
                                .formatted(peekText()));
            }
            try {
                requirements.add(requirement());
            } catch (BadSelectorException e) {
                throw new BadSelectorException("unable to parse requirement: " + e.text());
            }
            if (peek() == Kind.END) {
                break;
            }
            if (peek() != Kind.COMMA) {
                throw new BadSelectorException(
                        "found '%s', expected: ',' or 'end of string'".formatted(peekText()));
            }
            next++;
            if (!startsRequirement(peek())) {
                throw new BadSelectorException(
                        "found '%s', expected: identifier after ','".formatted(peekText()));
            }
        }
        return List.copyOf(requirements);
    }

    private Requirement requirement() throws BadSelectorException {
        boolean absent = peek() == Kind.NOT;
        if (absent) {
            next++;
        }
        if (peek() != Kind.NAME) {
            throw new BadSelectorException(
                    "found '%s', expected: identifier".formatted(peekText()));
        }
        String key = take();
        List<String> errors = LabelRules.keyErrors(key);
        if (!errors.isEmpty()) {
            throw new BadSelectorException(
                    LabelRules.invalid("<nil>", key, String.join("; ", errors)));
        }
        if (absent) {
            return new Requirement(Source.LABEL, key, Operator.ABSENT, Set.of());
        }
        if (peek() == Kind.END || peek() == Kind.COMMA) {
            return new Requirement(Source.LABEL, key, Operator.EXISTS, Set.of());
        }
        return compared(key);
    }

    private Requirement compared(String key) throws BadSelectorException {
        Kind kind = tokens.get(next).kind();
        Operator operator =
                switch (kind) {
                    case IN, EQUALS, DOUBLE_EQUALS -> Operator.IN;
                    case NOT_IN, NOT_EQUALS -> Operator.NOT_IN;
                    case GREATER -> Operator.GREATER;
                    case LESS -> Operator.LESS;
                    case NAME, NOT, OPEN, CLOSE, COMMA, END ->
                            throw new BadSelectorException(
                                    "found '%s', expected: in, notin, =, ==, !=, gt, lt"
                                            .formatted(peekText()));
                };
        next++;
        Set<String> values =
                kind == Kind.IN || kind == Kind.NOT_IN ? values() : Set.of(exactValue());
        check(key, operator, values);
        return new Requirement(Source.LABEL, key, operator, values);
    }

    private String exactValue() throws BadSelectorException {
        if (peek() == Kind.END || peek() == Kind.COMMA) {
            return "";
        }
        if (peek() != Kind.NAME) {
            throw new BadSelectorException(
                    "found '%s', expected: identifier".formatted(peekText()));
        }
        return take();
    }

    /**
     * A list in parentheses; between two commas, and between a comma and a parenthesis, is an empty
     * value.
     */
    private Set<String> values() throws BadSelectorException {
        if (peek() != Kind.OPEN) {
            throw new BadSelectorException("found '%s' expected: '('".formatted(peekText()));
        }
        next++;
        if (peek() == Kind.CLOSE) {
            next++;
            return Set.of("");
        }
        if (peek() != Kind.NAME && peek() != Kind.COMMA) {
            throw new BadSelectorException(
                    "found '%s', expected: ',', ')' or identifier".formatted(peekText()));
        }
        Set<String> values = new TreeSet<>();
        while (true) {
            if (peek() == Kind.NAME) {
                values.add(take());
                if (peek() == Kind.CLOSE) {
                    next++;
                    return values;
                }
                if (peek() != Kind.COMMA) {
                    throw new BadSelectorException(
                            "found '%s', expected: ',' or ')'".formatted(peekText()));
                }
            } else if (peek() == Kind.COMMA) {
                next++;
                if (values.isEmpty()) {
                    values.add("");
                }
                if (peek() == Kind.CLOSE) {
                    values.add("");
                    next++;
                    return values;
                }
                if (peek() == Kind.COMMA) {
                    values.add("");
                    next++;
                }
            } else {
                throw new BadSelectorException(
                        "found '%s', expected: ',', or identifier".formatted(peekText()));
            }
        }
    }

    private static void check(String key, Operator operator, Set<String> values)
            throws BadSelectorException {
        List<String> errors = new ArrayList<>();
        List<String> sorted = new ArrayList<>(new TreeSet<>(values));
        if (operator == Operator.GREATER || operator == Operator.LESS) {
            for (int i = 0; i < sorted.size(); i++) {
                if (!LabelRules.isInteger(sorted.get(i))) {
                    errors.add(
                            LabelRules.invalid(
                                    "values[%d]".formatted(i), sorted.get(i), NOT_INTEGER));
                }
            }
        }
        for (int i = 0; i < sorted.size(); i++) {
            List<String> valueErrors = LabelRules.valueErrors(sorted.get(i));
            if (!valueErrors.isEmpty()) {
                errors.add(
                        LabelRules.invalid(
                                "values[%d][%s]".formatted(i, key),
                                sorted.get(i),
                                String.join("; ", valueErrors)));
            }
            if (errors.size() == MOST_ERRORS) {
                break; // Each repeats the key: all of them could take megabytes.
            }
        }
        if (!errors.isEmpty()) {
            throw new BadSelectorException(
                    errors.size() == 1 ? errors.getFirst() : "[" + String.join(", ", errors) + "]");
        }
    }

    private static boolean startsRequirement(Kind kind) {
        return kind == Kind.NAME || kind == Kind.NOT;
    }

    /**
     * The next token's kind where a name is allowed: there {@code in} and {@code notin} are names.
     */
    private Kind peek() {
        Kind kind = tokens.get(next).kind();
        return kind == Kind.IN || kind == Kind.NOT_IN ? Kind.NAME : kind;
    }

    private String peekText() {
        return tokens.get(next).text();
    }

    private String take() {
        return tokens.get(next++).text();
    }
}
