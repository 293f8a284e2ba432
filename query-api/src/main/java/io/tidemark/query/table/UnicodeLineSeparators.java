package io.tidemark.query.table;

import java.security.SecureRandom;

/**
 * The line breaks of Unicode that are no line feeds. The API server writes them as they are,
 * between single quotes. The emitter used here would part the line there, so it is shown something
 * else instead, which is put right in what it has written.
 */
final class UnicodeLineSeparators {
    private static final char LINE = '\u2028';
    private static final char PARAGRAPH = '\u2029';

    /** Of these no text is made, by Unicode's own rules. */
    private static final char NO_CHARACTER = '\ufdd0';

    private static final int NO_CHARACTERS = 32;
    private static final int MARK_LENGTH = 12;

    /** As with the boundaries of mail: nobody can write it who has not guessed it. */
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
     * Whether they can stand as they are, between single quotes, and be read again: a reader drops
     * blanks beside a break, and what cannot be shown needs double quotes anyway.
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

    /** Not all that can be shown, but what comes in texts with such breaks. */
    private static boolean isShown(char c) {
        return (c >= 0x20 && c < 0x7f) || (c >= 0xa0 && c < Character.MIN_SURROGATE);
    }

    /** What the emitter is shown for a text whose breaks are to stand as they are. */
    static String hidden(String text) {
        return text.replace(String.valueOf(LINE), LINE_MARK)
                .replace(String.valueOf(PARAGRAPH), PARAGRAPH_MARK);
    }

    /** What it was meant to write. */
    static String shown(String written) {
        return written.contains(MARK)
                ? written.replace(LINE_MARK, String.valueOf(LINE))
                        .replace(PARAGRAPH_MARK, String.valueOf(PARAGRAPH))
                : written;
    }
}
