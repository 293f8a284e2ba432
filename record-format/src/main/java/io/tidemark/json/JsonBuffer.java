package io.tidemark.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * A growing byte array for JSON, up to a limit. Escapes strings like Go's {@code encoding/json}
 * with HTML escaping: {@code < > &} and U+2028, U+2029 become {@code \\u} escapes, every byte that
 * is not part of valid UTF-8 becomes {@code \\ufffd}. Not thread-safe.
 */
public final class JsonBuffer {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REPLACEMENT = "\\ufffd".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LOWEST_LONG =
            Long.toString(Long.MIN_VALUE).getBytes(StandardCharsets.US_ASCII);

    /** By byte: how many backslashes make it a part of a string, 0 or 1; 2 for all others. */
    private static final byte[] ESCAPES = escapes();

    private static final int OTHER = 2;

    private static final long BACKSLASHES = EightBytes.repeated('\\');
    private static final long BLANKS = EightBytes.repeated(' ');

    /** Set in {@code &}, and not in the quote, which else has the same bits. */
    private static final long QUOTE_BIT = EightBytes.repeated('"' ^ '&');

    private static final long AMPERSANDS = EightBytes.repeated('&');

    /** Set in {@code >}, and not in {@code <}, which else has the same bits. */
    private static final long ANGLE_BIT = EightBytes.repeated('<' ^ '>');

    private static final long CLOSING_ANGLES = EightBytes.repeated('>');

    private final int limit;
    private byte[] bytes;
    private int size;

    /**
     * @param capacity initial capacity in bytes
     * @param limit maximum size in bytes; one more throws {@link JsonTooLargeException}
     */
    public JsonBuffer(int capacity, int limit) {
        this.limit = limit;
        this.bytes = new byte[Math.min(capacity, limit)];
    }

    private static byte[] escapes() {
        byte[] escapes = new byte[256];
        Arrays.fill(escapes, (byte) OTHER);
        Arrays.fill(escapes, ' ', 0x80, (byte) 0);
        for (char c : "<>&".toCharArray()) {
            escapes[c] = OTHER;
        }
        escapes['"'] = 1;
        escapes['\\'] = 1;
        return escapes;
    }

    public int size() {
        return size;
    }

    /** The last byte written; 0 if empty. */
    public byte last() {
        return size == 0 ? 0 : bytes[size - 1];
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    public void put(byte b) {
        reserve(1);
        bytes[size++] = b;
    }

    public void put(char ascii) {
        put((byte) ascii);
    }

    public void put(byte[] source) {
        put(source, 0, source.length);
    }

    public void put(byte[] source, int from, int to) {
        int length = to - from;
        reserve(length);
        System.arraycopy(source, from, bytes, size, length);
        size += length;
    }

    /** Begins a member: {@code ,"name":}, without the comma when it is the object's first. */
    public void member(byte[] commaNameColon) {
        put(commaNameColon, last() == '{' ? 1 : 0, commaNameColon.length);
    }

    /** A comma, unless the last byte opens an array or object. */
    public void separate() {
        byte last = last();
        if (last != '[' && last != '{') {
            put(',');
        }
    }

    public void number(long value) {
        if (value == Long.MIN_VALUE) {
            put(LOWEST_LONG);
            return;
        }
        reserve(20);
        long rest = value;
        if (rest < 0) {
            bytes[size++] = '-';
            rest = -rest;
        }
        int end = size + digits(rest);
        size = end;
        do {
            bytes[--end] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
    }

    /** A non-negative {@code value} in decimal, padded with zeros to {@code width}. */
    public void padded(long value, int width) {
        for (int missing = width - digits(value); missing > 0; missing--) {
            put('0');
        }
        number(value);
    }

    private static int digits(long value) {
        int count = 1;
        for (long rest = value; rest >= 10; rest /= 10) {
            count++;
        }
        return count;
    }

    /** As padded standard base64 in quotes. */
    public void base64(byte[] source, int from, int to) {
        put('"');
        put(Base64.getEncoder().encode(Arrays.copyOfRange(source, from, to)));
        put('"');
    }

    /** Text that needs no escapes, such as names and punctuation. */
    public void put(String ascii) {
        put(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    /** A JSON string; unpaired surrogates become U+FFFD. */
    public void string(String text) {
        byte[] utf8 = Utf8.wellFormed(text).getBytes(StandardCharsets.UTF_8);
        string(utf8, 0, utf8.length);
    }

    /** A text as a JSON string. */
    public static String quoted(String text) {
        JsonBuffer out = new JsonBuffer(text.length() + 2, Integer.MAX_VALUE);
        out.string(text);
        return new String(out.bytes, 0, out.size, StandardCharsets.UTF_8);
    }

    /** A JSON string of UTF-8 text. */
    public void string(byte[] source, int from, int to) {
        reserve(to - from + 2);
        bytes[size++] = '"';
        int at = from;
        while (at < to) {
            int before = at;
            at = copyEights(source, at, to);
            at += at == before ? copyNext(source, at, to) : 0;
        }
        put('"');
    }

    /**
     * Copies up to eight bytes at a time while eight fit, each with a backslash. JSON within a
     * string has a quote every few bytes: these are escaped without a branch, which no processor
     * could predict.
     *
     * @return the place of the first byte that was not copied
     */
    private int copyEights(byte[] source, int from, int to) {
        byte[] target = bytes;
        int room = target.length - 2 * Long.BYTES;
        int end = size;
        int at = from;
        while (at < to && end <= room) {
            // Zero is not plain: the last bytes are looked at one by one.
            long eight = at <= to - Long.BYTES ? EightBytes.at(source, at) : 0;
            if (others(eight) == 0) {
                EightBytes.put(target, end, eight);
                at += Long.BYTES;
                end += Long.BYTES;
                continue;
            }
            for (int next = Math.min(at + Long.BYTES, to); at < next; at++) {
                byte copied = source[at];
                int backslashes = ESCAPES[copied & 0xff];
                if (backslashes == OTHER) {
                    size = end;
                    return at;
                }
                target[end] = '\\';
                end += backslashes;
                target[end++] = copied;
            }
        }
        size = end;
        return at;
    }

    /** Marks the bytes that are not plain. */
    private static long others(long eight) {
        return EightBytes.below(eight, BLANKS)
                | EightBytes.zeros((eight | QUOTE_BIT) ^ AMPERSANDS)
                | EightBytes.zeros((eight | ANGLE_BIT) ^ CLOSING_ANGLES)
                | EightBytes.zeros(eight ^ BACKSLASHES)
                | eight & EightBytes.HIGH_BITS;
    }

    /** Copies, escapes or replaces the next character; returns its length in bytes. */
    private int copyNext(byte[] source, int at, int to) {
        byte next = source[at];
        if (next >= 0) {
            if (ESCAPES[next] == 0) {
                put(next);
            } else {
                escape(next);
            }
            return 1;
        }
        int length = Utf8.sequenceLength(source, at, to);
        if (length == 0) {
            put(REPLACEMENT);
            return 1;
        }
        if (Utf8.isLineOrParagraphSeparator(source, at, length)) {
            lineSeparator(source[at + 2]);
        } else {
            put(source, at, at + length);
        }
        return length;
    }

    /** {@code \\u2028} or {@code \\u2029}, by the third byte of its UTF-8. */
    void lineSeparator(byte third) {
        put(REPLACEMENT, 0, 2);
        put('2');
        put('0');
        put('2');
        put(third == (byte) 0xa8 ? '8' : '9');
    }

    void escape(byte b) {
        reserve(6);
        bytes[size++] = '\\';
        switch (b) {
            case '"', '\\' -> bytes[size++] = b;
            case '\b' -> bytes[size++] = 'b';
            case '\f' -> bytes[size++] = 'f';
            case '\n' -> bytes[size++] = 'n';
            case '\r' -> bytes[size++] = 'r';
            case '\t' -> bytes[size++] = 't';
            default -> {
                bytes[size++] = 'u';
                bytes[size++] = '0';
                bytes[size++] = '0';
                bytes[size++] = HEX[b >> 4 & 0xf];
                bytes[size++] = HEX[b & 0xf];
            }
        }
    }

    private void reserve(int more) {
        if (more > bytes.length - size) {
            grow(more);
        }
    }

    private void grow(int more) {
        long needed = (long) size + more;
        if (needed > limit) {
            throw new JsonTooLargeException(limit);
        }
        long doubled = Math.min(limit, Math.max(needed, bytes.length * 2L));
        bytes = Arrays.copyOf(bytes, (int) doubled);
    }
}
