package io.tidemark.connector.redact;

import io.tidemark.json.Utf8;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A path to values in an object: {@code .spec.containers[*].env[*].value}. {@code .name} and {@code
 * ['any name']} lead to a member, {@code [*]} to every element of an array and to the value of
 * every member of an object. Names are compared exactly, by their characters after JSON's escapes.
 */
public record RedactionPath(List<Step> steps) implements Comparable<RedactionPath> {
    /** Steps of a path; no real object is deeper. */
    private static final int MAX_STEPS = 32;

    private static final String NOT_IN_NAMES = ".[]'\"*,=\\";

    /** Members without which a value is no object, or is not the one that etcd holds. */
    private static final Set<String> NEEDED = Set.of("apiVersion", "kind");

    private static final Set<String> NEEDED_METADATA =
            Set.of("name", "namespace", "uid", "resourceVersion");

    /** One step from a value to values in it. */
    public sealed interface Step {
        /** To the value of the member with this name. */
        record Member(String name) implements Step {}

        /** To all elements of an array, and the values of all members of an object. */
        record Every() implements Step {}
    }

    public RedactionPath {
        steps = List.copyOf(steps);
    }

    /**
     * Parses a path.
     *
     * @throws IllegalArgumentException when it is malformed, or leads to what an object needs:
     *     apiVersion, kind, and metadata's name, namespace, uid and resourceVersion
     */
    public static RedactionPath parse(String text) {
        if (text.chars().anyMatch(Character::isISOControl) || !Utf8.wellFormed(text).equals(text)) {
            throw new IllegalArgumentException("a path holds a control character or no Unicode");
        }
        RedactionPath path = new RedactionPath(new Reader(text).steps());
        path.check(text);
        return path;
    }

    private void check(String text) {
        if (!(steps.getFirst() instanceof Step.Member(String first))) {
            throw new IllegalArgumentException(
                    "'%s' must begin with the name of a member, such as .spec".formatted(text));
        }
        boolean metadata = first.equals("metadata");
        boolean needed =
                metadata
                        ? steps.size() == 1
                                || !(steps.get(1) instanceof Step.Member(String name))
                                || NEEDED_METADATA.contains(name)
                        : NEEDED.contains(first);
        if (needed) {
            throw new IllegalArgumentException(
                    ("'%s' cannot be redacted: it leads to apiVersion, kind, or metadata's name,"
                                    + " namespace, uid or resourceVersion")
                            .formatted(text));
        }
    }

    @Override
    public int compareTo(RedactionPath other) {
        return toString().compareTo(other.toString());
    }

    /** One text for equal paths, which {@link #parse} reads. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Step step : steps) {
            switch (step) {
                case Step.Every() -> text.append("[*]");
                case Step.Member(String name) when isPlain(name) -> text.append('.').append(name);
                case Step.Member(String name) ->
                        text.append("['")
                                .append(name.replace("\\", "\\\\").replace("'", "\\'"))
                                .append("']");
            }
        }
        return text.toString();
    }

    private static boolean isPlain(String name) {
        return !name.isEmpty() && name.chars().allMatch(RedactionPath::isInName);
    }

    private static boolean isInName(int c) {
        return c > ' ' && c != 0x7f && NOT_IN_NAMES.indexOf(c) < 0;
    }

    /** Reads one path. */
    private static final class Reader {
        private final String text;
        private int at;

        private Reader(String text) {
            this.text = text;
        }

        private List<Step> steps() {
            List<Step> steps = new ArrayList<>();
            while (at < text.length() || steps.isEmpty()) {
                steps.add(step());
                if (steps.size() > MAX_STEPS) {
                    throw malformed("it has more than %d steps".formatted(MAX_STEPS));
                }
            }
            return steps;
        }

        private Step step() {
            if (text.startsWith("[*]", at)) {
                at += 3;
                return new Step.Every();
            }
            if (text.startsWith("['", at)) {
                at += 2;
                return new Step.Member(quoted());
            }
            if (!text.startsWith(".", at)) {
                throw malformed("a step is .name, ['name'] or [*]");
            }
            int from = ++at;
            while (at < text.length() && isInName(text.charAt(at))) {
                at++;
            }
            if (at == from) {
                throw malformed("a dot needs a name; odd names need [''], elements [*]");
            }
            return new Step.Member(text.substring(from, at));
        }

        private String quoted() {
            StringBuilder name = new StringBuilder();
            while (at < text.length()) {
                char c = text.charAt(at++);
                if (c == '\'') {
                    if (!text.startsWith("]", at)) {
                        throw malformed("a quote in a name needs a backslash before it");
                    }
                    at++;
                    return name.toString();
                }
                if (c == '\\') {
                    boolean escapes = text.startsWith("'", at) || text.startsWith("\\", at);
                    if (!escapes) {
                        throw malformed("a backslash in a name needs another one");
                    }
                    c = text.charAt(at++);
                }
                name.append(c);
            }
            throw malformed("a name without its end ']");
        }

        private IllegalArgumentException malformed(String why) {
            return new IllegalArgumentException(
                    "malformed path '%s', at character %d: %s".formatted(text, at + 1, why));
        }
    }
}
