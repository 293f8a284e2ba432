package io.tidemark.view.object;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Set;

/**
 * A range of hash values of a field: a shard of the objects, as in KEP-5866. The hash is FNV-1a
 * with 64 bits of the field's text in UTF-8; its values compare as unsigned numbers.
 *
 * @param first the lowest hash
 * @param last the highest hash, which belongs to the range
 */
public record HashRange(long first, long last) {
    /** Into how many equal parts {@link #bucket} divides all hash values. */
    public static final int BUCKETS = 32;

    private static final int BUCKET_SHIFT = Long.SIZE - 5;
    private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;
    private static final int DIGITS = 16;

    /**
     * @throws IllegalArgumentException when the range is empty
     */
    public HashRange {
        if (Long.compareUnsigned(first, last) > 0) {
            throw new IllegalArgumentException(text(first, last) + " is empty");
        }
    }

    /** The hash of a field's text; of the empty text when the field is not set. */
    public static long hash(String value) {
        long hash = OFFSET_BASIS;
        for (byte each : value.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & 0xff)) * PRIME;
        }
        return hash;
    }

    /** Which part of all hash values the hash is in: from 0 to below {@link #BUCKETS}. */
    public static int bucket(long hash) {
        return (int) (hash >>> BUCKET_SHIFT);
    }

    /** The parts of all hash values that some of the ranges overlap. */
    public static BitSet buckets(Set<String> ranges) {
        BitSet buckets = new BitSet(BUCKETS);
        for (String text : ranges) {
            HashRange range = parse(text);
            buckets.set(bucket(range.first), bucket(range.last) + 1);
        }
        return buckets;
    }

    /** Whether one of the ranges, as texts, contains the hash of a value. */
    static boolean anyContains(Set<String> ranges, String value) {
        long hash = hash(value);
        for (String text : ranges) {
            boolean below = Long.compareUnsigned(hash, first(text)) < 0;
            if (!below && Long.compareUnsigned(hash, last(text)) <= 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * The inverse of {@link #toString}.
     *
     * @throws IllegalArgumentException when it is no such text
     */
    public static HashRange parse(String text) {
        if (text.length() != 2 * DIGITS + 1 || text.charAt(DIGITS) != '-') {
            throw new IllegalArgumentException("no range of hashes: " + text);
        }
        return new HashRange(first(text), last(text));
    }

    private static long first(String text) {
        return Long.parseUnsignedLong(text, 0, DIGITS, 16);
    }

    private static long last(String text) {
        return Long.parseUnsignedLong(text, DIGITS + 1, text.length(), 16);
    }

    private static String text(long first, long last) {
        return "%016x-%016x".formatted(first, last);
    }

    /** Both ends in 16 hexadecimal digits each, with a hyphen between. */
    @Override
    public String toString() {
        return text(first, last);
    }
}
