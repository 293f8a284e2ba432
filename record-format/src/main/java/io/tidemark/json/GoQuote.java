package io.tidemark.json;

/** Strings and characters as Go quotes them ({@code %q}), for messages that clients compare. */
public final class GoQuote {
    private GoQuote() {}

    /** In double quotes, with unprintable characters escaped. */
    public static String string(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(c -> append(out, c, '"'));
        return out.append('"').toString();
    }

    /** In single quotes. */
    public static String character(int codePoint) {
        StringBuilder out = new StringBuilder().append('\'');
        append(out, codePoint, '\'');
        return out.append('\'').toString();
    }

    private static void append(StringBuilder out, int c, char quote) {
        int simple = "\u0007\b\f\n\r\t\u000b\\".indexOf(c);
        if (simple >= 0) {
            out.append('\\').append("abfnrtv\\".charAt(simple));
        } else if (c == quote) {
            out.append('\\').append(quote);
        } else if (c < 0x20 || c == 0x7f) {
            out.append("\\x%02x".formatted(c));
        } else if (isPrintable(c)) {
            out.appendCodePoint(c);
        } else {
            out.append((c < 0x10000 ? "\\u%04x" : "\\U%08x").formatted(c));
        }
    }

    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            default -> true;
        };
    }
}
