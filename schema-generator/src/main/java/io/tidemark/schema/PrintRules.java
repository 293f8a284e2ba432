package io.tidemark.schema;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * When a field is printed: which of the marks its line gets. It follows from the Go type, which the
 * descriptors do not show: a field without {@code omitempty} is printed always ({@code !}), a
 * pointer with {@code omitempty} when it is present ({@code *}), a pointer without always or as
 * null ({@code *!}), and any other field unless it is empty (no mark; {@code ?} in the exceptions).
 *
 * <p>The first rule that applies decides: the field's in its message, the message's default, the
 * field's name, the field's type. Lists and maps have rules of their own names, {@code []name} and
 * {@code {}name}, and no default of the message. By their type, times and bytes are printed always;
 * texts, flags, lists and maps unless empty; all others are taken for pointers.
 */
final class PrintRules {
    private static final String UNLESS_EMPTY = "?";
    private static final Set<String> ALWAYS = Set.of("Time", "MicroTime", "bytes");
    private static final Set<String> UNLESS_EMPTY_TYPES =
            Set.of("string", "bool", "ResourceVersion");

    private final Map<String, String> names = new HashMap<>();
    private final Map<String, Map<String, String>> messages = new HashMap<>();
    private final Set<String> unused = new TreeSet<>();

    /** A rule for fields of this name in all messages. */
    void name(String name, String mark) {
        put(names, name, mark);
        unused.add(name);
    }

    /**
     * Rules for one message: fields with their marks, and a mark alone as the message's default.
     *
     * @param message qualified for one package, else for the messages of that name that have no
     *     qualified rules
     */
    void message(String message, List<String> words) {
        Map<String, String> rules = messages.computeIfAbsent(message, _ -> new HashMap<>());
        for (String word : words) {
            String mark = markOf(word);
            String field = word.substring(0, word.length() - mark.length());
            put(rules, field, mark);
            unused.add(message + " " + field);
        }
    }

    private static void put(Map<String, String> rules, String field, String mark) {
        if (rules.put(field, mark.equals(UNLESS_EMPTY) ? "" : mark) != null) {
            throw new IllegalArgumentException("two rules for " + field);
        }
    }

    private static String markOf(String word) {
        if (word.endsWith(UNLESS_EMPTY)) {
            return UNLESS_EMPTY;
        }
        return TableField.MARKS.stream()
                .filter(word::endsWith)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no mark: " + word));
    }

    /** The mark of a field in a message, of which the full table name is given. */
    String mark(String message, String shape, String name, String type) {
        String simple = message.substring(message.lastIndexOf('.') + 1);
        String home = messages.containsKey(message) ? message : simple;
        Map<String, String> rules = messages.getOrDefault(home, Map.of());
        String field = shape + name;
        if (rules.containsKey(field)) {
            unused.remove(home + " " + field);
            return rules.get(field);
        }
        if (shape.isEmpty() && rules.containsKey("")) {
            unused.remove(home + " ");
            return rules.get("");
        }
        if (names.containsKey(field)) {
            unused.remove(field);
            return names.get(field);
        }
        return byType(shape, type);
    }

    private static String byType(String shape, String type) {
        if (!shape.isEmpty() || UNLESS_EMPTY_TYPES.contains(type)) {
            return "";
        }
        return ALWAYS.contains(type) ? "!" : "*";
    }

    /** Rules that no field has asked for: misspelt, or of an older version. */
    Set<String> unused() {
        return new TreeSet<>(unused);
    }
}
