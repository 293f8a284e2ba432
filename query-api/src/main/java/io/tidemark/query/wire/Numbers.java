package io.tidemark.query.wire;

import io.tidemark.json.GoQuote;
import io.tidemark.serving.status.StatusErrors;

/** Parses integers of a request; errors have the text of Go's strconv, which clients may match. */
final class Numbers {
    private Numbers() {}

    /** A signed 64-bit decimal. */
    static long parseSigned(String text) {
        String digits = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
        requireDigits("ParseInt", text, digits);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException _) {
            throw outOfRange("ParseInt", text);
        }
    }

    /**
     * Whether {@code text} is an unsigned 64-bit decimal, the form of a resourceVersion.
     *
     * @return the empty string, or the error
     */
    static String whyNotUnsigned(String text) {
        if (!isDigits(text)) {
            return "strconv.ParseUint: parsing %s: invalid syntax".formatted(GoQuote.string(text));
        }
        try {
            Long.parseUnsignedLong(text);
            return "";
        } catch (NumberFormatException _) {
            return "strconv.ParseUint: parsing %s: value out of range"
                    .formatted(GoQuote.string(text));
        }
    }

    private static void requireDigits(String function, String text, String digits) {
        if (!isDigits(digits)) {
            throw StatusErrors.badRequest(
                    "strconv.%s: parsing %s: invalid syntax"
                            .formatted(function, GoQuote.string(text)));
        }
    }

    private static RuntimeException outOfRange(String function, String text) {
        return StatusErrors.badRequest(
                "strconv.%s: parsing %s: value out of range"
                        .formatted(function, GoQuote.string(text)));
    }

    private static boolean isDigits(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
