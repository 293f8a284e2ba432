package io.tidemark.json;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Finds the ends of tokens in JSON that is known to be valid. On other bytes the answers are
 * arbitrary, but never outside of the bounds.
 */
public final class ValidJson {
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private ValidJson() {}

    /** The end of the value at {@code at}, no further than {@code end}. */
    public static int afterValue(byte[] json, int at, int end) {
        int depth = 0;
        int i = at;
        while (i < end) {
            switch (json[i]) {
                case '"' -> i = afterString(json, i, end);
                case '{', '[' -> {
                    depth++;
                    i++;
                }
                case '}', ']' -> {
                    if (depth == 0) {
                        return i;
                    }
                    depth--;
                    i++;
                }
                case ',', ' ', '\n', '\r', '\t' -> {
                    if (depth == 0) {
                        return i;
                    }
                    i++;
                }
                default -> {
                    i++;
                    continue; // Inside a number or a literal, which continues.
                }
            }
            if (depth == 0) {
                return i;
            }
        }
        return i;
    }

    /** The end of the string whose opening quote is at {@code quote}. */
    public static int afterString(byte[] json, int quote, int end) {
        int i = quote + 1;
        while (i < end && json[i] != '"') {
            i += json[i] == '\\' ? 2 : 1;
        }
        return Math.min(i + 1, end);
    }

    /** Whether a byte is whitespace between tokens. */
    public static boolean isBlank(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /** The text between a string's quotes; malformed escapes are kept. */
    public static String unescaped(byte[] json, int from, int to) {
        String text = new String(json, from, to - from, StandardCharsets.UTF_8);
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char escape = text.charAt(i) == '\\' && i + 1 < text.length() ? text.charAt(i + 1) : 0;
            if (escape == 'u' && isHex(text, i + 2)) {
                plain.append((char) HexFormat.fromHexDigits(text, i + 2, i + 6));
                i += 5;
            } else if (escape != 0 && ESCAPES.indexOf(escape) >= 0) {
                plain.append(ESCAPED.charAt(ESCAPES.indexOf(escape)));
                i++;
            } else {
                plain.append(text.charAt(i));
            }
        }
        return plain.toString();
    }

    private static boolean isHex(String text, int from) {
        return from + 4 <= text.length()
                && text.substring(from, from + 4).chars().allMatch(HexFormat::isHexDigit);
    }
}
