package io.tidemark.query.wire;

/**
 * Checks that bytes are one JSON value; errors have the text of Go's encoding/json, which the API
 * server passes on. The maximum depth is the same.
 */
final class GoJsonSyntax {
    private static final int MAX_DEPTH = 10_000;
    private static final String VALUE = "looking for beginning of value";

    private final byte[] json;
    private int at;

    private GoJsonSyntax(byte[] json) {
        this.json = json;
    }

    /**
     * @throws GoJsonException when they are not
     */
    static void check(byte[] json) throws GoJsonException {
        GoJsonSyntax syntax = new GoJsonSyntax(json);
        syntax.values();
        syntax.blanks();
        if (syntax.at < json.length) {
            throw syntax.unexpected("after top-level value");
        }
    }

    /** One value with its content; uses an explicit stack of brackets, as it may be deep. */
    private void values() throws GoJsonException {
        StringBuilder open = new StringBuilder();
        do {
            blanks();
            byte first = peek();
            if (first == '{' || first == '[') {
                at++;
                open.append((char) first);
                if (open.length() > MAX_DEPTH) {
                    throw new GoJsonException("exceeded max depth");
                }
                blanks();
                if (peek() == closing(open)) {
                    close(open);
                } else if (first == '{') {
                    name("looking for beginning of object key string");
                    continue;
                } else {
                    continue;
                }
            } else {
                scalar(first);
            }
            next(open);
        } while (!open.isEmpty());
    }

    /** After a value: closes brackets that end here and moves to the next value, if any. */
    private void next(StringBuilder open) throws GoJsonException {
        while (!open.isEmpty()) {
            blanks();
            boolean object = open.charAt(open.length() - 1) == '{';
            byte c = peek();
            if (c == ',') {
                at++;
                blanks();
                if (object) {
                    name("looking for beginning of object key string");
                }
                return;
            }
            if (c != closing(open)) {
                throw unexpected(object ? "after object key:value pair" : "after array element");
            }
            close(open);
        }
    }

    private static char closing(StringBuilder open) {
        return open.charAt(open.length() - 1) == '{' ? '}' : ']';
    }

    private void close(StringBuilder open) {
        at++;
        open.setLength(open.length() - 1);
    }

    private void name(String context) throws GoJsonException {
        if (peek() != '"') {
            throw unexpected(context);
        }
        string();
        blanks();
        if (peek() != ':') {
            throw unexpected("after object key");
        }
        at++;
    }

    private void scalar(byte first) throws GoJsonException {
        switch (first) {
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> throw unexpected(VALUE);
        }
    }

    private void literal(String word) throws GoJsonException {
        at++;
        for (int i = 1; i < word.length(); i++) {
            if (peek() != word.charAt(i)) {
                throw unexpected("in literal %s (expecting '%c')".formatted(word, word.charAt(i)));
            }
            at++;
        }
    }

    private void number() throws GoJsonException {
        if (json[at] == '-') {
            at++;
            requireDigit("in numeric literal");
        }
        if (json[at] == '0') {
            at++;
        } else {
            digits();
        }
        if (is('.')) {
            at++;
            requireDigit("after decimal point in numeric literal");
            digits();
        }
        if (is('e') || is('E')) {
            at++;
            if (is('+') || is('-')) {
                at++;
            }
            requireDigit("in exponent of numeric literal");
            digits();
        }
    }

    private void string() throws GoJsonException {
        at++;
        while (peek() != '"') {
            byte c = json[at];
            if (c >= 0 && c < 0x20) {
                throw unexpected("in string literal");
            }
            at++;
            if (c == '\\') {
                escape();
            }
        }
        at++;
    }

    private void escape() throws GoJsonException {
        byte c = peek();
        if (c == 'u') {
            at++;
            for (int i = 0; i < 4; i++) {
                if (Character.digit(peek(), 16) < 0) {
                    throw unexpected("in \\u hexadecimal character escape");
                }
                at++;
            }
        } else if ("bfnrt\\/\"".indexOf(c) >= 0) {
            at++;
        } else {
            throw unexpected("in string escape code");
        }
    }

    private void requireDigit(String context) throws GoJsonException {
        byte c = peek();
        if (c < '0' || c > '9') {
            throw unexpected(context);
        }
    }

    private void digits() {
        while (at < json.length && json[at] >= '0' && json[at] <= '9') {
            at++;
        }
    }

    private void blanks() {
        while (is(' ') || is('\n') || is('\r') || is('\t')) {
            at++;
        }
    }

    private boolean is(char c) {
        return at < json.length && json[at] == c;
    }

    private byte peek() throws GoJsonException {
        if (at >= json.length) {
            throw new GoJsonException("unexpected end of JSON input");
        }
        return json[at];
    }

    private GoJsonException unexpected(String context) {
        int c = json[at] & 0xff;
        // Like Go, quotes a byte as the character of that number.
        String quoted =
                switch (c) {
                    case '\'' -> "'\\''";
                    case '"' -> "'\"'";
                    default -> quoted(c);
                };
        return new GoJsonException("invalid character " + quoted + " " + context);
    }

    private static String quoted(int c) {
        boolean shown = c >= 0x20 && c < 0x7f || c > 0xa0 && c != 0xad;
        String text =
                switch (c) {
                    case '\\' -> "\\\\";
                    case 0x07 -> "\\a";
                    case '\b' -> "\\b";
                    case '\f' -> "\\f";
                    case '\n' -> "\\n";
                    case '\r' -> "\\r";
                    case '\t' -> "\\t";
                    case 0x0b -> "\\v";
                    default ->
                            shown
                                    ? Character.toString(c)
                                    : (c < 0x80 ? "\\x%02x" : "\\u%04x").formatted(c);
                };
        return "'" + text + "'";
    }
}
