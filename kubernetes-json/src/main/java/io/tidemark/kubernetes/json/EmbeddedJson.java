package io.tidemark.kubernetes.json;

import java.util.Arrays;

/**
 * Validates JSON embedded in an object as bytes (field sets, raw extensions) and writes it like Go:
 * drops whitespace outside strings, escapes {@code < > &} and U+2028, U+2029, and copies everything
 * else unchanged. One pass, no recursion; unchanged runs are copied as a whole. Not thread-safe.
 */
public final class EmbeddedJson {
    /** Go allows 10,000 levels; Tidemark's readers allow 1,000, including the enclosing object. */
    private static final int MAX_DEPTH = 900;

    private final byte[] source;
    private final int end;
    private final JsonBuffer out;
    private int at;
    private int run;

    /** Bit n is set if the n-th open bracket is an object's. */
    private long[] objects = new long[1];

    private int depth;

    private EmbeddedJson(byte[] source, int from, int to, JsonBuffer out) {
        this.source = source;
        this.at = from;
        this.run = from;
        this.end = to;
        this.out = out;
    }

    /**
     * Appends the JSON value in {@code source[from, to)}.
     *
     * @throws MalformedJsonException when it holds no value, or more than one
     */
    public static void append(byte[] source, int from, int to, JsonBuffer out) {
        new EmbeddedJson(source, from, to, out).document();
    }

    private void document() {
        boolean more = true;
        while (more) {
            if (value()) {
                continue;
            }
            more = closeAndSeparate();
        }
        if (next() >= 0) {
            throw malformed("text after the value");
        }
        out.put(source, run, end);
    }

    /** Reads the start of a value; true if it opens a non-empty array or object. */
    private boolean value() {
        int c = next();
        switch (c) {
            case '{' -> {
                at++;
                push(true);
                if (next() == '}') {
                    return false;
                }
                key();
                return true;
            }
            case '[' -> {
                at++;
                push(false);
                return next() != ']';
            }
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> number(c);
        }
        return false;
    }

    /** After a value: reads closing brackets; true if another value follows. */
    private boolean closeAndSeparate() {
        while (depth > 0) {
            int c = next();
            boolean object = (objects[(depth - 1) >> 6] >>> (depth - 1) & 1) != 0;
            if (c == (object ? '}' : ']')) {
                at++;
                depth--;
            } else if (c == ',') {
                at++;
                if (object) {
                    key();
                }
                return true;
            } else {
                throw malformed("no comma or end of the array or object");
            }
        }
        return false;
    }

    private void push(boolean object) {
        if (depth == MAX_DEPTH) {
            throw malformed("nested too deeply");
        }
        int word = depth >> 6;
        if (word == objects.length) {
            objects = Arrays.copyOf(objects, word * 2);
        }
        long bit = 1L << depth;
        objects[word] = object ? objects[word] | bit : objects[word] & ~bit;
        depth++;
    }

    private void key() {
        if (next() != '"') {
            throw malformed("no member name");
        }
        string();
        if (next() != ':') {
            throw malformed("no colon after a member name");
        }
        at++;
    }

    private void string() {
        at++;
        while (at < end) {
            byte b = source[at];
            switch (b) {
                case '"' -> {
                    at++;
                    return;
                }
                case '\\' -> escapeSequence();
                case '<', '>', '&' -> {
                    flush();
                    out.escape(b);
                    run = ++at;
                }
                default -> plain(b);
            }
        }
        throw malformed("a string without end");
    }

    private void plain(byte b) {
        if (b >= 0x20) {
            at++;
        } else if (b >= 0) {
            throw malformed("a control character in a string");
        } else if (at + 3 <= end && Utf8.isLineOrParagraphSeparator(source, at, 3)) {
            flush();
            out.lineSeparator(source[at + 2]);
            at += 3;
            run = at;
        } else {
            at++;
        }
    }

    private void escapeSequence() {
        int c = at + 1 < end ? source[at + 1] : -1;
        switch (c) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at += 2;
            case 'u' -> {
                at += 2;
                for (int i = 0; i < 4; i++, at++) {
                    if (at >= end || Character.digit(source[at], 16) < 0) {
                        throw malformed("a bad \\u escape");
                    }
                }
            }
            default -> throw malformed("a bad escape");
        }
    }

    private void literal(String word) {
        for (int i = 0; i < word.length(); i++, at++) {
            if (at >= end || source[at] != word.charAt(i)) {
                throw malformed("an unknown word");
            }
        }
    }

    private void number(int first) {
        if (first == '-') {
            at++;
        }
        if (at < end && source[at] == '0') {
            at++;
        } else {
            digits();
        }
        if (at < end && source[at] == '.') {
            at++;
            digits();
        }
        if (at < end && (source[at] | 0x20) == 'e') {
            at++;
            if (at < end && (source[at] == '+' || source[at] == '-')) {
                at++;
            }
            digits();
        }
    }

    private void digits() {
        int from = at;
        while (at < end && source[at] >= '0' && source[at] <= '9') {
            at++;
        }
        if (at == from) {
            throw malformed("no value");
        }
    }

    /** Skips whitespace; returns the next byte without consuming it, -1 at the end. */
    private int next() {
        if (at < end && source[at] > ' ') {
            return source[at];
        }
        return nextAfterBlanks();
    }

    private int nextAfterBlanks() {
        if (at < end && isBlank(source[at])) {
            flush();
            while (at < end && isBlank(source[at])) {
                at++;
            }
            run = at;
        }
        return at < end ? source[at] & 0xff : -1;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    private void flush() {
        out.put(source, run, at);
    }

    private MalformedJsonException malformed(String problem) {
        return new MalformedJsonException(problem, at);
    }
}
