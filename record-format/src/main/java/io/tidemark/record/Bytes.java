package io.tidemark.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An immutable byte string with value equality and unsigned lexicographic order, the order of
 * etcd's and RocksDB's keys.
 */
public final class Bytes implements Comparable<Bytes> {
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] array;

    private Bytes(byte[] array) {
        this.array = array;
    }

    /** Wraps {@code array} without copying: the caller must not write to it afterwards. */
    public static Bytes wrap(byte[] array) {
        return array.length == 0 ? EMPTY : new Bytes(array);
    }

    public static Bytes utf8(String text) {
        return wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    public int length() {
        return array.length;
    }

    public byte at(int index) {
        return array[index];
    }

    /** The backing array, not a copy: for reading only. */
    public byte[] array() {
        return array;
    }

    public boolean startsWith(Bytes prefix) {
        return array.length >= prefix.array.length
                && Arrays.equals(
                        array, 0, prefix.array.length, prefix.array, 0, prefix.array.length);
    }

    public Bytes slice(int fromInclusive, int toExclusive) {
        return wrap(Arrays.copyOfRange(array, fromInclusive, toExclusive));
    }

    public Bytes concat(Bytes suffix) {
        byte[] joined = Arrays.copyOf(array, array.length + suffix.array.length);
        System.arraycopy(suffix.array, 0, joined, array.length, suffix.array.length);
        return wrap(joined);
    }

    /**
     * The smallest byte string above every one that starts with this: the exclusive end of a prefix
     * range. {@link #EMPTY} when there is none (this is empty or all 0xff), which means "no end".
     */
    public Bytes prefixEnd() {
        for (int i = array.length - 1; i >= 0; i--) {
            if (array[i] != (byte) 0xff) {
                byte[] end = Arrays.copyOf(array, i + 1);
                end[i]++;
                return wrap(end);
            }
        }
        return EMPTY;
    }

    /** The smallest byte string above this one. */
    public Bytes successor() {
        return wrap(Arrays.copyOf(array, array.length + 1));
    }

    /** Text for display, not for keys: bytes that are not UTF-8 become U+FFFD. */
    public String utf8() {
        return new String(array, StandardCharsets.UTF_8);
    }

    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(array, other.array);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(array, that.array);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(array);
    }

    /**
     * Text for one line of a log: characters that are not visible are escaped and, when this is not
     * UTF-8, bytes that are not ASCII.
     */
    @Override
    public String toString() {
        if (isPlainText()) {
            return new String(array, StandardCharsets.ISO_8859_1);
        }
        String text = utf8();
        boolean valid = utf8(text).equals(this);
        StringBuilder shown = new StringBuilder();
        (valid ? text : new String(array, StandardCharsets.ISO_8859_1))
                .codePoints()
                .forEach(character -> {
                    if (character == '\\') {
                        shown.append("\\\\");
                    } else if (!valid && character > 0x7f) {
                        shown.append("\\x%02x".formatted(character));
                    } else if (isVisible(character)) {
                        shown.appendCodePoint(character);
                    } else {
                        shown.append("\\u{%x}".formatted(character));
                    }
                });
        return shown.toString();
    }

    /** Whether it is visible ASCII without a backslash, as keys usually are. */
    private boolean isPlainText() {
        for (byte b : array) {
            if (b < ' ' || b > '~' || b == '\\') {
                return false;
            }
        }
        return true;
    }

    private static boolean isVisible(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED ->
                    false;
            default -> true;
        };
    }
}
