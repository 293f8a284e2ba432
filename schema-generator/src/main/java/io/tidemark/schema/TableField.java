package io.tidemark.schema;

import java.util.List;

/**
 * One line of a table.
 *
 * @param name {@code -} for a message whose members are printed among those of the enclosing one
 * @param shape {@code []}, {@code {}}, or empty for one value
 * @param type a value type of the decoder, or a message's full table name
 * @param mark when the field is printed: {@code !}, {@code *}, {@code *!} or empty
 * @param byDefault JSON; empty for none
 */
record TableField(
        int number, String name, String shape, String type, String mark, String byDefault) {
    static final List<String> MARKS = List.of("*!", "!", "*");

    private static final int WORDS_WITH_DEFAULT = 5;

    /**
     * Parses a line of the exceptions.
     *
     * @throws IllegalArgumentException or IndexOutOfBoundsException when it is none
     */
    static TableField parse(String line, String packageName) {
        String[] words = line.split(" +", WORDS_WITH_DEFAULT);
        String byDefault = words.length < WORDS_WITH_DEFAULT ? "" : words[WORDS_WITH_DEFAULT - 1];
        String mark = MARKS.stream().filter(words[2]::endsWith).findFirst().orElse("");
        String rest = words[2].substring(0, words[2].length() - mark.length());
        String shape = rest.startsWith("[]") || rest.startsWith("{}") ? rest.substring(0, 2) : "";
        String type = rest.substring(shape.length());
        boolean isLocal = !type.contains(".") && !ValueTypes.isOne(type);
        return new TableField(
                Integer.parseInt(words[0]),
                words[1],
                shape,
                isLocal ? packageName + "." + type : type,
                mark,
                byDefault);
    }

    /** For a copy of its message in another package. */
    TableField moved(String from, String to) {
        String moved = type.startsWith(from + ".") ? to + type.substring(from.length()) : type;
        return new TableField(number, name, shape, moved, mark, byDefault);
    }

    /** As the tables contain it; types of the same package are not qualified. */
    String line(String packageName) {
        String prefix = packageName + ".";
        String local = type.startsWith(prefix) ? type.substring(prefix.length()) : type;
        String end = byDefault.isEmpty() ? "" : " = " + byDefault;
        return "  " + number + " " + name + " " + shape + local + mark + end;
    }
}
