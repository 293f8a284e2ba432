package io.tidemark.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads and writes the numbers of stored and sent forms in place: a {@code ByteBuffer} around each
 * array would be one more object for each object that is read.
 *
 * <p>All methods throw IndexOutOfBoundsException for a number that does not lie in the array.
 */
public final class BigEndian {
    private static final VarHandle SHORT = view(short[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle LONG = view(long[].class);

    private BigEndian() {}

    private static VarHandle view(Class<?> type) {
        return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.BIG_ENDIAN);
    }

    /** The two bytes at an offset, 0 to 65,535. */
    public static int shortAt(byte[] from, int offset) {
        return (short) SHORT.get(from, offset) & 0xffff;
    }

    /** The four bytes at an offset. */
    public static int intAt(byte[] from, int offset) {
        return (int) INT.get(from, offset);
    }

    /** The eight bytes at an offset. */
    public static long longAt(byte[] from, int offset) {
        return (long) LONG.get(from, offset);
    }

    /** Writes four bytes at an offset. */
    public static void put(byte[] to, int offset, int value) {
        INT.set(to, offset, value);
    }

    /** Writes eight bytes at an offset. */
    public static void put(byte[] to, int offset, long value) {
        LONG.set(to, offset, value);
    }
}
