package io.tidemark.connector.value;

import org.jspecify.annotations.Nullable;

/**
 * Scans the tokens of a JSON text, strictly by RFC 8259 with strings in valid UTF-8. Each step
 * returns whether the token is well formed; after a malformed one, {@link #error} has the reason
 * and position, and no other method may be called.
 */
final class JsonTokens {
    private static final byte PLAIN = 0;
    private static final byte QUOTE = 1;
    private static final byte ESCAPE = 2;
    private static final byte CONTROL = 3;
    private static final byte MULTIBYTE = 4;
    private static final byte[] IN_STRING = new byte[256];

    static {
        for (int b = 0; b < 256; b++) {
            IN_STRING[b] = b < 0x20 ? CONTROL : b < 0x80 ? PLAIN : MULTIBYTE;
        }
        IN_STRING['"'] = QUOTE;
        IN_STRING['\\'] = ESCAPE;
    }

    private final byte[] in;
    private int at;
    private @Nullable String error;

    JsonTokens(byte[] in) {
        this.in = in;
    }

    int at() {
        return at;
    }

    String error() {
        return error == null ? "" : error;
    }

    /** The current byte, or -1 at the end. */
    int peek() {
        return at < in.length ? in[at] & 0xff : -1;
    }

    void skip() {
        at++;
    }

    void skipWhitespace() {
        while (at < in.length) {
            byte b = in[at];
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return;
            }
            at++;
        }
    }

    boolean fail(String what) {
        error = what + " at byte " + at;
        return false;
    }

    boolean literal(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (peek() != word.charAt(i)) {
                return fail("not a JSON value");
            }
            at++;
        }
        return true;
    }

    boolean number() {
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else if (!digits()) {
            return fail("not a JSON value");
        }
        if (peek() == '.') {
            at++;
            if (!digits()) {
                return fail("a number without a digit after its point");
            }
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            if (!digits()) {
                return fail("a number without a digit in its exponent");
            }
        }
        return true;
    }

    private boolean digits() {
        int from = at;
        while (at < in.length && in[at] >= '0' && in[at] <= '9') {
            at++;
        }
        return at > from;
    }

    /** Consumes a string, at its opening quote. */
    boolean string() {
        at++;
        while (at < in.length) {
            byte kind = IN_STRING[in[at] & 0xff];
            if (kind == PLAIN) {
                at++;
            } else if (kind == QUOTE) {
                at++;
                return true;
            } else if (kind == CONTROL) {
                return fail("a control character in a string");
            } else if (!(kind == ESCAPE ? escape() : multibyte())) {
                return false;
            }
        }
        return fail("a string without an end");
    }

    private boolean escape() {
        at++;
        switch (peek()) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
                at++;
                return true;
            }
            case 'u' -> {
                at++;
                for (int i = 0; i < 4; i++) {
                    if (Character.digit(peek(), 16) < 0) {
                        return fail("a broken \\u escape");
                    }
                    at++;
                }
                return true;
            }
            default -> {
                return fail("a broken escape");
            }
        }
    }

    /**
     * Accepts the well-formed sequences of Unicode's table 3-7: no surrogates, no overlong forms.
     */
    private boolean multibyte() {
        int lead = in[at] & 0xff;
        if (lead < 0xc2 || lead > 0xf4) {
            return fail("invalid UTF-8");
        }
        int more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
        if (in.length - at <= more) {
            return fail("invalid UTF-8");
        }
        int second = in[at + 1] & 0xff;
        int low =
                switch (lead) {
                    case 0xe0 -> 0xa0;
                    case 0xf0 -> 0x90;
                    default -> 0x80;
                };
        int high =
                switch (lead) {
                    case 0xed -> 0x9f;
                    case 0xf4 -> 0x8f;
                    default -> 0xbf;
                };
        if (second < low || second > high) {
            return fail("invalid UTF-8");
        }
        for (int i = 2; i <= more; i++) {
            if ((in[at + i] & 0xc0) != 0x80) {
                return fail("invalid UTF-8");
            }
        }
        at += more + 1;
        return true;
    }
}
