package io.tidemark.query.select;

import io.tidemark.query.catalog.Resource;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.SelectionBounds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Parses {@code fieldSelector}: {@code spec.nodeName=a,status.phase!=b}. Blanks are part of names
 * and values; in values a backslash escapes a comma, an equals sign or a backslash.
 */
public final class FieldSelectors {
    private static final List<String> OPERATORS = List.of("!=", "==", "=");

    private FieldSelectors() {}

    /**
     * @return conditions that must all hold, on fields as the store names them
     * @throws io.tidemark.serving.status.StatusException 400 with the API server's text
     */
    public static List<Requirement> parse(String selector, Resource resource) {
        try {
            FieldRules rules = FieldRules.of(resource);
            List<Requirement> requirements = new ArrayList<>();
            Set<String> inValue = new HashSet<>();
            for (Term term : terms(selector)) {
                Optional<FieldRules.Field> field = rules.find(term.field());
                if (field.isEmpty()) {
                    throw new BadSelectorException(rules.unsupported(term.field(), resource));
                }
                if (field.get().inValue()) {
                    inValue.add(field.get().stored());
                }
                requirements.add(requirement(term, field.get()));
            }
            if (inValue.size() > SelectionBounds.VALUE_FIELDS) {
                throw new BadSelectorException(
                        "fieldSelector names %d fields that are read from the objects' values; at most %d are allowed"
                                .formatted(inValue.size(), SelectionBounds.VALUE_FIELDS));
            }
            return List.copyOf(requirements);
        } catch (BadSelectorException e) {
            throw e.asStatus();
        }
    }

    /**
     * Checks the syntax only, not the fields.
     *
     * @throws io.tidemark.serving.status.StatusException 400 with the API server's text
     */
    public static void requireReadable(String selector) {
        try {
            terms(selector);
        } catch (BadSelectorException e) {
            throw e.asStatus();
        }
    }

    /**
     * Parses without a look at the fields, which any may be.
     *
     * @return conditions that must all hold, on fields as the selector spells them
     * @throws io.tidemark.serving.status.StatusException 400 with the API server's text
     */
    public static List<Requirement> parseAnyFields(String selector) {
        try {
            return terms(selector).stream()
                    .map(term ->
                            new Requirement(
                                    Source.FIELD,
                                    term.field(),
                                    term.equal() ? Operator.IN : Operator.NOT_IN,
                                    Set.of(term.value())))
                    .toList();
        } catch (BadSelectorException e) {
            throw e.asStatus();
        }
    }

    /**
     * The value that a selector requires a field to have; of several the first in the order of
     * their texts, as the API server has it. Any others must hold as well, so nothing else matches.
     *
     * @throws io.tidemark.serving.status.StatusException 400 with the API server's text
     */
    public static Optional<String> requiredValue(String selector, String field) {
        try {
            return requiredValue(terms(selector), field);
        } catch (BadSelectorException e) {
            throw e.asStatus();
        }
    }

    private static Optional<String> requiredValue(List<Term> terms, String field) {
        return terms.stream()
                .filter(term -> term.equal() && term.field().equals(field))
                .map(Term::value)
                .findFirst();
    }

    /**
     * Checks that a selector beside a name in the path requires that name, among others.
     *
     * @param name of the path; empty for none, which any selector fits
     * @throws io.tidemark.serving.status.StatusException 400 with the API server's text
     */
    public static void requireName(String selector, String name) {
        if (name.isEmpty()) {
            return;
        }
        try {
            List<Term> terms = terms(selector);
            if (!terms.isEmpty()
                    && !requiredValue(terms, "metadata.name").equals(Optional.of(name))) {
                throw StatusErrors.badRequest(
                        "fieldSelector metadata.name doesn't match requested name");
            }
        } catch (BadSelectorException e) {
            throw e.asStatus();
        }
    }

    private record Term(String field, boolean equal, String value) {}

    private static Requirement requirement(Term term, FieldRules.Field field) {
        return new Requirement(
                Source.FIELD,
                field.stored(),
                term.equal() ? Operator.IN : Operator.NOT_IN,
                field.asStored(term.value()));
    }

    /** Sorted by text, as the API server evaluates them. */
    private static List<Term> terms(String selector) throws BadSelectorException {
        List<Term> terms = new ArrayList<>();
        for (String part : split(selector).stream().sorted().toList()) {
            if (part.isEmpty()) {
                continue;
            }
            Term term = term(selector, part);
            if (!term.field().isEmpty() || !term.value().isEmpty()) {
                terms.add(term);
            }
        }
        return terms;
    }

    private static Term term(String selector, String part) throws BadSelectorException {
        for (int i = 0; i < part.length(); i++) {
            for (String operator : OPERATORS) {
                if (part.startsWith(operator, i)) {
                    return new Term(
                            part.substring(0, i),
                            !operator.equals("!="),
                            unescaped(part.substring(i + operator.length())));
                }
            }
        }
        throw new BadSelectorException(
                "invalid selector: '%s'; can't understand '%s'".formatted(selector, part));
    }

    private static List<String> split(String selector) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < selector.length(); i++) {
            char c = selector.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == ',') {
                parts.add(selector.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(selector.substring(from));
        return parts;
    }

    private static String unescaped(String value) throws BadSelectorException {
        StringBuilder out = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == ',' || c == '=') {
                throw new BadSelectorException(
                        "invalid field selector: unescaped character in value: " + (int) c);
            }
            if (c == '\\') {
                i++;
                c = escaped(value, i);
            }
            out.append(c);
        }
        return out.toString();
    }

    private static char escaped(String value, int at) throws BadSelectorException {
        if (at < value.length() && "\\,=".indexOf(value.charAt(at)) >= 0) {
            return value.charAt(at);
        }
        String sequence =
                at < value.length() ? "\\" + Character.toString(value.codePointAt(at)) : "\\";
        throw new BadSelectorException(
                "invalid field selector: invalid escape sequence: " + sequence);
    }
}
