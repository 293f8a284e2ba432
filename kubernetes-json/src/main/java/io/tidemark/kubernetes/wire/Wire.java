package io.tidemark.kubernetes.wire;

/**
 * Protobuf's wire format over a byte array. Reading a varint returns the value; {@link
 * #afterVarint} returns the position after it, since a scan only skips most varints. Every method
 * stays below {@code to}, and throws for a value that exceeds it.
 */
public final class Wire {
    /** A number of variable length. */
    public static final int VARINT = 0;

    /** Eight bytes, little-endian. */
    public static final int FIXED64 = 1;

    /** A length as a varint, then as many bytes. */
    public static final int LENGTH = 2;

    static final int FIXED32 = 5;

    private static final int MAX_VARINT = 10;

    private Wire() {}

    /**
     * @throws DecodeException when it does not end before {@code to} or within ten bytes
     */
    public static long varint(byte[] source, int at, int to) {
        long value = 0;
        for (int i = 0; i < MAX_VARINT && at + i < to; i++) {
            byte b = source[at + i];
            value |= (long) (b & 0x7f) << 7 * i;
            if (b >= 0) {
                return value;
            }
        }
        throw badVarint(at);
    }

    /**
     * @throws DecodeException as {@link #varint}
     */
    public static int afterVarint(byte[] source, int at, int to) {
        int end = Math.min(to, at + MAX_VARINT);
        for (int i = at; i < end; i++) {
            if (source[i] >= 0) {
                return i + 1;
            }
        }
        throw badVarint(at);
    }

    /** The position after a value of this wire type that begins at {@code at}. */
    public static int afterValue(byte[] source, int wireType, int at, int to) {
        return switch (wireType) {
            case VARINT -> afterVarint(source, at, to);
            case FIXED64 -> within(at, 8, to);
            case FIXED32 -> within(at, 4, to);
            case LENGTH -> within(afterVarint(source, at, to), varint(source, at, to), to);
            default ->
                    throw DecodeException.malformed(
                            "wire type " + wireType + " at byte " + at + " is never written");
        };
    }

    static int within(int at, long length, int to) {
        if (length < 0 || length > to - at) {
            throw DecodeException.malformed(
                    "truncated: " + length + " bytes at byte " + at + " pass the end at " + to);
        }
        return at + (int) length;
    }

    /** The caller has checked that eight bytes follow. */
    public static long fixed64(byte[] source, int at) {
        long value = 0;
        for (int i = 7; i >= 0; i--) {
            value = value << 8 | source[at + i] & 0xff;
        }
        return value;
    }

    private static DecodeException badVarint(int at) {
        return DecodeException.malformed("truncated: a number at byte " + at + " has no end");
    }
}
