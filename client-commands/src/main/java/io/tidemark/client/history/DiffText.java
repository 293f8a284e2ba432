package io.tidemark.client.history;

import io.tidemark.client.Terminal;
import io.tidemark.client.Terminal.Colour;
import io.tidemark.diff.Difference;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Prints differences: each field's old value after a minus, the new one after a plus. */
public final class DiffText {
    private static final int MAX_NAMED = 3;

    private DiffText() {}

    static void print(Terminal terminal, List<Difference> differences, String indent) {
        for (Difference difference : differences) {
            if (difference.before() != null) {
                String value = difference.before().toString();
                terminal.line(Colour.DELETED, indent + "- " + difference.path() + ": " + value);
            }
            if (difference.after() != null) {
                String value = difference.after().toString();
                terminal.line(Colour.ADDED, indent + "+ " + difference.path() + ": " + value);
            }
        }
    }

    /** The first fields, such as {@code spec.replicas, status.conditions (+2)}. */
    static String summary(List<Difference> differences) {
        Set<String> paths = new LinkedHashSet<>();
        for (Difference difference : differences) {
            paths.add(shortened(difference.path().toString()));
        }
        String named = String.join(", ", paths.stream().limit(MAX_NAMED).toList());
        return paths.size() > MAX_NAMED
                ? named + " (+%d)".formatted(paths.size() - MAX_NAMED)
                : named;
    }

    /** The path up to the first list. */
    private static String shortened(String path) {
        int list = path.indexOf('[');
        return list > 0 ? path.substring(0, list) : path;
    }
}
