package io.tidemark.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Eight bytes of an array at a time, as a long whose lowest byte is the first. A search marks bytes
 * by their highest bits; the first mark is exact, later ones may be wrong ("Hacker's Delight",
 * Warren, section 6-1).
 */
public final class EightBytes {
    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;

    /** The highest bit of each byte. */
    public static final long HIGH_BITS = 0x8080808080808080L;

    private EightBytes() {}

    /**
     * The eight bytes at an offset.
     *
     * @throws IndexOutOfBoundsException when they do not all lie in the array
     */
    public static long at(byte[] from, int offset) {
        return (long) WORDS.get(from, offset);
    }

    /**
     * Writes eight bytes at an offset.
     *
     * @throws IndexOutOfBoundsException when they do not all lie in the array
     */
    public static void put(byte[] to, int offset, long eight) {
        WORDS.set(to, offset, eight);
    }

    /** One byte, eight times. */
    public static long repeated(int b) {
        return (b & 0xff) * ONES;
    }

    /** Marks the bytes that are zero. */
    public static long zeros(long eight) {
        return (eight - ONES) & ~eight & HIGH_BITS;
    }

    /**
     * Marks the bytes below a bound.
     *
     * @param bounds the bound, from 1 to 128, eight times
     */
    public static long below(long eight, long bounds) {
        return (eight - bounds) & ~eight & HIGH_BITS;
    }

    /** The place of the first marked byte, from 0; 8 when there is none. */
    public static int first(long marks) {
        return Long.numberOfTrailingZeros(marks) >>> 3;
    }
}
