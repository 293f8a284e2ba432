package io.tidemark.query.table;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Quoted texts as Go writes them in its sources. */
final class GoText {
    private static final String ESCAPES = "abfnrtv\\";
    private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b\\";

    private final String text;
    private final char quote;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private int at;

    private GoText(String text, char quote) {
        this.text = text;
        this.quote = quote;
    }

    /**
     * @param inside the quotes, in which that quote is escaped
     * @throws IllegalArgumentException for an escape that Go does not know
     */
    static String unquoted(String inside, char quote) {
        return inside.indexOf('\\') < 0 ? inside : new GoText(inside, quote).unquoted();
    }

    private String unquoted() {
        while (at < text.length()) {
            if (text.charAt(at) == '\\') {
                at++;
                escape(next());
            } else {
                character(text.codePointAt(at));
                at += Character.charCount(text.codePointAt(at));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private char next() {
        if (at == text.length()) {
            throw new IllegalArgumentException(text);
        }
        return text.charAt(at++);
    }

    private void character(int codePoint) {
        bytes.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
    }

    private void escape(char c) {
        int known = ESCAPES.indexOf(c);
        if (known >= 0) {
            bytes.write(ESCAPED.charAt(known));
        } else if (c == quote) {
            bytes.write(c);
        } else if (c == 'x') {
            bytes.write(number(2, 16)); // A byte, perhaps a part of a character.
        } else if (c == 'u' || c == 'U') {
            int codePoint = number(c == 'u' ? 4 : 8, 16);
            if (!Character.isValidCodePoint(codePoint)
                    || codePoint >= Character.MIN_SURROGATE
                            && codePoint <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException(text);
            }
            character(codePoint);
        } else {
            at--;
            int octal = number(3, 8);
            if (octal > 0xff) {
                throw new IllegalArgumentException(text);
            }
            bytes.write(octal);
        }
    }

    private int number(int digits, int radix) {
        int number = 0;
        for (int i = 0; i < digits; i++) {
            char c = next();
            int digit = c < 0x80 ? Character.digit(c, radix) : -1;
            if (digit < 0) {
                throw new IllegalArgumentException(text);
            }
            number = number * radix + digit;
        }
        return number;
    }
}
