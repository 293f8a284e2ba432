package io.tidemark.kubernetes.encode;

import static io.tidemark.json.EightBytes.zeros;

import io.tidemark.json.EightBytes;

/**
 * Walks stored JSON for the encoder, which meets every byte of it on the way to the wire. It
 * expects valid JSON, as stored values are. On anything else it fails, or what it finds is
 * arbitrary, but it neither reads outside the text nor runs on.
 */
final class JsonCursor {
    private static final long QUOTES = EightBytes.repeated('"');
    private static final long BACKSLASHES = EightBytes.repeated('\\');

    private final byte[] json;
    private int at;
    private int nameFrom;
    private int nameTo;
    private boolean escaped;

    JsonCursor(byte[] json, int from) {
        this.json = json;
        this.at = from;
    }

    /** The first byte of the value here. */
    byte peek() {
        while (at < json.length && json[at] <= ' ' && json[at] >= 0) {
            at++;
        }
        if (at == json.length) {
            throw malformed();
        }
        return json[at];
    }

    boolean isNull() {
        return peek() == 'n';
    }

    /** The position of the value here. */
    int position() {
        byte _ = peek();
        return at;
    }

    /** Enters an object or array; false, and no step, if the value here is another. */
    boolean enter(char bracket) {
        if (peek() != bracket) {
            return false;
        }
        at++;
        return true;
    }

    /**
     * Moves to the next member of the object that was entered, or past its end.
     *
     * @param first whether none was read yet
     * @return false at the end
     */
    boolean nextMember(boolean first) {
        if (!next(first, '}')) {
            return false;
        }
        if (peek() != '"') {
            throw malformed();
        }
        nameFrom = at + 1;
        at = afterString();
        nameTo = at - 1;
        if (peek() != ':') {
            throw malformed();
        }
        at++;
        return true;
    }

    /** The same for the elements of an array. */
    boolean nextElement(boolean first) {
        return next(first, ']');
    }

    private boolean next(boolean first, char end) {
        byte here = peek();
        if (here == end) {
            at++;
            return false;
        }
        if (!first) {
            if (here != ',') {
                throw malformed();
            }
            at++;
        }
        return true;
    }

    /** The start of the last member's name, after its quote. */
    int nameFrom() {
        return nameFrom;
    }

    /** The end of the last member's name, before its quote. */
    int nameTo() {
        return nameTo;
    }

    /** Whether the string or name that was read last has a backslash. */
    boolean isEscaped() {
        return escaped;
    }

    /** Moves past the value here and returns its end. */
    int skip() {
        byte first = peek();
        if (first == '"') {
            at = afterString();
        } else if (first == '{' || first == '[') {
            at = afterBrackets();
        } else {
            int from = at;
            while (at < json.length && isScalar(json[at])) {
                at++;
            }
            if (at == from) {
                throw malformed();
            }
        }
        return at;
    }

    /** Whether a byte may belong to a number, true, false or null. */
    private static boolean isScalar(byte b) {
        return b >= '0' && b <= '9'
                || b >= 'a' && b <= 'z'
                || b == '-'
                || b == '+'
                || b == '.'
                || b == 'E';
    }

    /** Half of the encoder's time goes here: it looks at eight bytes at a time. */
    private int afterString() {
        byte[] text = json;
        escaped = false;
        int i = at + 1;
        while (true) {
            while (i <= text.length - Long.BYTES) {
                long word = EightBytes.at(text, i);
                long found = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
                if (found != 0) {
                    i += EightBytes.first(found);
                    break;
                }
                i += Long.BYTES;
            }
            while (i < text.length && text[i] != '"' && text[i] != '\\') {
                i++;
            }
            if (i >= text.length) {
                throw malformed();
            }
            if (text[i] == '"') {
                return i + 1;
            }
            escaped = true;
            i += 2;
        }
    }

    private int afterBrackets() {
        byte[] text = json;
        int depth = 0;
        for (int i = at; i < text.length; i++) {
            switch (text[i]) {
                case '"' -> {
                    at = i;
                    i = afterString() - 1;
                }
                case '{', '[' -> depth++;
                case '}', ']' -> {
                    if (--depth == 0) {
                        return i + 1;
                    }
                }
                default -> {
                    // Between brackets and strings nothing matters.
                }
            }
        }
        throw malformed();
    }

    private EncodeException malformed() {
        return new EncodeException("no JSON at byte " + at);
    }
}
