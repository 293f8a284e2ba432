package io.tidemark.query.representation;

import java.security.SecureRandom;

/**
 * U+2028 and U+2029 in YAML. The API server writes them unescaped between single quotes, but the
 * emitter used here would break the line there. So they are replaced by placeholders before
 * emitting, and restored in the output.
 */
final class UnicodeLineSeparators {
    private static final char LINE = '\u2028';
    private static final char PARAGRAPH = '\u2029';

    /** The first of Unicode's noncharacters, which do not occur in text. */
    private static final char NO_CHARACTER = '\ufdd0';

    private static final int NO_CHARACTERS = 32;
    private static final int MARK_LENGTH = 12;

    /** Random, like a MIME boundary, so that input cannot contain it. */
    private static final String MARK = mark();

    private static final String LINE_MARK = MARK + "l";
    private static final String PARAGRAPH_MARK = MARK + "p";

    private UnicodeLineSeparators() {}

    private static String mark() {
        SecureRandom random = new SecureRandom();
        StringBuilder mark = new StringBuilder();
        for (int i = 0; i < MARK_LENGTH; i++) {
            mark.append((char) (NO_CHARACTER + random.nextInt(NO_CHARACTERS)));
        }
        return mark.toString();
    }

    static boolean in(String text) {
        return text.indexOf(LINE) >= 0 || text.indexOf(PARAGRAPH) >= 0;
    }

    /**
     * Whether the text survives single quotes with unescaped breaks: parsers drop blanks beside a
     * break, and unprintable characters need double quotes anyway.
     */
    static boolean areReadable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean breaks = c == LINE || c == PARAGRAPH;
            if (!isShown(c) || breaks && (isBlank(text, i - 1) || isBlank(text, i + 1))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBlank(String text, int at) {
        return at >= 0 && at < text.length() && text.charAt(at) == ' ';
    }

    /** A subset of the printable characters that is sufficient here. */
    private static boolean isShown(char c) {
        return (c >= 0x20 && c < 0x7f) || (c >= 0xa0 && c < Character.MIN_SURROGATE);
    }

    /** Replaces the breaks by placeholders. */
    static String hidden(String text) {
        return text.replace(String.valueOf(LINE), LINE_MARK)
                .replace(String.valueOf(PARAGRAPH), PARAGRAPH_MARK);
    }

    /** Restores the breaks in emitted text. */
    static String shown(String written) {
        return written.contains(MARK)
                ? written.replace(LINE_MARK, String.valueOf(LINE))
                        .replace(PARAGRAPH_MARK, String.valueOf(PARAGRAPH))
                : written;
    }
}
