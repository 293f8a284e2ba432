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

    /** Per byte: 0 = copied as it is, 1 = escaped, 2 = starts a sequence of several bytes. */
    private static final byte[] STRING_CLASS = stringClasses();

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

    private static byte[] stringClasses() {
        byte[] classes = new byte[256];
        Arrays.fill(classes, 0, 0x20, (byte) 1);
        for (char c : "\"\\<>&".toCharArray()) {
            classes[c] = 1;
        }
        Arrays.fill(classes, 0x80, 0x100, (byte) 2);
        return classes;
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
        int run = from;
        int at = from;
        while (at < to) {
            byte kind = STRING_CLASS[source[at] & 0xff];
            if (kind == 0) {
                at++;
                continue;
            }
            int length = kind == 1 ? 0 : Utf8.sequenceLength(source, at, to);
            if (length > 0 && !Utf8.isLineOrParagraphSeparator(source, at, length)) {
                at += length;
                continue;
            }
            put(source, run, at);
            if (kind == 1) {
                escape(source[at++]);
            } else if (length == 0) {
                put(REPLACEMENT);
                at++;
            } else {
                lineSeparator(source[at + 2]);
                at += length;
            }
            run = at;
        }
        put(source, run, to);
        put('"');
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
