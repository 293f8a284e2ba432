package io.tidemark.json;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * Scans one JSON text token by token, strictly by RFC 8259 and without recursion. Its errors have
 * the text of Go's {@code encoding/json}, which clients of an API server compare. Not thread-safe.
 */
public final class JsonScanner {
    /** What {@link #next} found. */
    public enum Token {
        /** The start of an object, which is a value. */
        OBJECT,
        /** The start of an array, which is a value. */
        ARRAY,
        /** A string, a number or a literal as a value. */
        SCALAR,
        /** A member's name; its value follows. */
        NAME,
        /** The end of an object or array. */
        CLOSE,
        /** The end of the text. */
        END
    }

    private static final byte PLAIN = 0;
    private static final byte END_OR_CONTROL = 1;
    private static final byte ESCAPE = 2;
    private static final byte MULTIBYTE = 3;
    private static final byte HTML = 4;
    private static final byte[] IN_STRING = new byte[256];

    static {
        Arrays.fill(IN_STRING, 0, 0x20, END_OR_CONTROL);
        Arrays.fill(IN_STRING, 0x80, 0x100, MULTIBYTE);
        IN_STRING['"'] = END_OR_CONTROL;
        IN_STRING['\\'] = ESCAPE;
        for (char c : new char[] {'<', '>', '&'}) {
            IN_STRING[c] = HTML;
        }
    }

    private final byte[] in;
    private final int end;
    private final int maxDepth;
    private final boolean strictUtf8;
    private int at;
    private int from;
    private int to;
    private final int textFrom;
    private boolean valueFollows = true;
    private boolean opened;
    private boolean spaced;
    private boolean html;
    private boolean invalidUtf8;
    private int deepest;

    /** Bit n is set if the n-th open bracket is an object's. */
    private long[] objects = new long[1];

    private int depth;
    private boolean inObject;

    /**
     * A scanner of {@code in[from, to)}.
     *
     * @param maxDepth how many objects and arrays may be open at once
     * @param strictUtf8 whether invalid UTF-8 in a string is an error
     */
    public JsonScanner(byte[] in, int from, int to, int maxDepth, boolean strictUtf8) {
        this.in = in;
        this.end = to;
        this.maxDepth = maxDepth;
        this.strictUtf8 = strictUtf8;
        this.at = from;
        skipBlanks();
        this.textFrom = at;
    }

    /**
     * Scans to the end of the text.
     *
     * @throws MalformedJsonException when it is not one JSON value
     */
    public void finish() {
        while (next() != Token.END) {
            // Only checks the rest.
        }
    }

    /**
     * Moves to the next token.
     *
     * @throws MalformedJsonException when there is no valid one; the scanner is of no use then
     */
    public Token next() {
        if (valueFollows) {
            valueFollows = false;
            return value(peek());
        }
        if (depth == 0) {
            skipBlanks();
            if (at < end) {
                throw unexpected("after top-level value");
            }
            return Token.END;
        }
        int c = peek();
        boolean object = inObject;
        if (c == (object ? '}' : ']')) {
            return close();
        }
        if (!opened) {
            if (c != ',') {
                throw unexpected(object ? "after object key:value pair" : "after array element");
            }
            at++;
            c = peek();
        }
        opened = false;
        return object ? name(c) : value(c);
    }

    /** How many objects and arrays are open, with the one that has just begun. */
    public int depth() {
        return depth;
    }

    /** The start of the token; of a string or name, its quote. */
    public int from() {
        return from;
    }

    /** The end of the token, exclusive. */
    public int to() {
        return to;
    }

    /** The start of the text without blanks before it. */
    public int textFrom() {
        return textFrom;
    }

    /** Whether there were no blanks between the tokens so far. */
    public boolean isCompact() {
        return !spaced;
    }

    /** Whether a string so far has a character that Go escapes for HTML, or U+2028, U+2029. */
    public boolean hasHtml() {
        return html;
    }

    /** Whether a string so far has invalid UTF-8; never, if that is an error. */
    boolean hasInvalidUtf8() {
        return invalidUtf8;
    }

    /** The highest {@link #depth} so far. */
    int deepest() {
        return deepest;
    }

    private Token name(int first) {
        if (first != '"') {
            throw unexpected("looking for beginning of object key string");
        }
        from = at;
        string();
        to = at;
        if (peek() != ':') {
            throw unexpected("after object key");
        }
        at++;
        valueFollows = true;
        return Token.NAME;
    }

    private Token value(int first) {
        from = at;
        switch (first) {
            case '{', '[' -> {
                open(first == '{');
                to = at;
                return first == '{' ? Token.OBJECT : Token.ARRAY;
            }
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> throw unexpected("looking for beginning of value");
        }
        to = at;
        return Token.SCALAR;
    }

    private void open(boolean object) {
        if (depth == maxDepth) {
            throw new MalformedJsonException("exceeded max depth", at);
        }
        int word = depth >> 6;
        if (word == objects.length) {
            objects = Arrays.copyOf(objects, word * 2);
        }
        long bit = 1L << depth;
        objects[word] = object ? objects[word] | bit : objects[word] & ~bit;
        inObject = object;
        depth++;
        deepest = Math.max(deepest, depth);
        at++;
        opened = true;
    }

    private Token close() {
        opened = false;
        depth--;
        inObject = depth > 0 && (objects[(depth - 1) >> 6] >>> (depth - 1) & 1) != 0;
        from = at++;
        to = at;
        return Token.CLOSE;
    }

    private void string() {
        at = afterPlain(at + 1);
        while (current() != '"') {
            special();
            at = afterPlain(at);
        }
        at++;
    }

    private int afterPlain(int start) {
        int i = start;
        while (i < end && IN_STRING[in[i] & 0xff] == PLAIN) {
            i++;
        }
        return i;
    }

    private void special() {
        switch (IN_STRING[in[at] & 0xff]) {
            case HTML -> {
                html = true;
                at++;
            }
            case ESCAPE -> escape();
            case MULTIBYTE -> multibyte();
            default -> throw unexpected("in string literal");
        }
    }

    private void escape() {
        at++;
        int c = current();
        if ("bfnrtu\\/\"".indexOf(c) < 0) {
            throw unexpected("in string escape code");
        }
        at++;
        for (int i = 0; c == 'u' && i < 4; i++, at++) {
            if (!HexFormat.isHexDigit(current())) {
                throw unexpected("in \\u hexadecimal character escape");
            }
        }
    }

    private void multibyte() {
        int length = Utf8.sequenceLength(in, at, end);
        if (length == 0 && strictUtf8) {
            throw new MalformedJsonException("invalid UTF-8", at);
        }
        invalidUtf8 |= length == 0;
        html |= Utf8.isLineOrParagraphSeparator(in, at, length);
        at += Math.max(length, 1);
    }

    private void literal(String word) {
        for (int i = 0; i < word.length(); i++, at++) {
            if (current() != word.charAt(i)) {
                throw unexpected("in literal %s (expecting '%c')".formatted(word, word.charAt(i)));
            }
        }
    }

    private void number() {
        if (is('-')) {
            at++;
        }
        if (is('0')) {
            at++;
        } else {
            digits("in numeric literal");
        }
        if (is('.')) {
            at++;
            digits("after decimal point in numeric literal");
        }
        if (is('e') || is('E')) {
            at++;
            if (is('+') || is('-')) {
                at++;
            }
            digits("in exponent of numeric literal");
        }
    }

    private void digits(String context) {
        if (current() < '0' || current() > '9') {
            throw unexpected(context);
        }
        while (at < end && in[at] >= '0' && in[at] <= '9') {
            at++;
        }
    }

    private boolean is(char c) {
        return at < end && in[at] == c;
    }

    /** The byte here. */
    private int current() {
        if (at >= end) {
            throw endOfInput();
        }
        return in[at] & 0xff;
    }

    /** The byte after blanks, without consuming it. */
    private int peek() {
        if (at < end && in[at] > ' ') {
            return in[at];
        }
        spaced |= skipBlanks();
        return current();
    }

    private boolean skipBlanks() {
        int before = at;
        while (at < end && ValidJson.isBlank(in[at])) {
            at++;
        }
        return at > before;
    }

    /** Like Go, quotes a byte as the character of that number. */
    private MalformedJsonException unexpected(String context) {
        String found = GoQuote.character(in[at] & 0xff);
        return new MalformedJsonException("invalid character " + found + " " + context, at);
    }

    private MalformedJsonException endOfInput() {
        return new MalformedJsonException("unexpected end of JSON input", at);
    }
}
