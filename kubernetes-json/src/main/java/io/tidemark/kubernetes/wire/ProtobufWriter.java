package io.tidemark.kubernetes.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes protobuf's wire format into one array that grows. The length of a message, which precedes
 * it, is filled in when the message is closed. Not thread-safe.
 */
public final class ProtobufWriter {
    private static final int MAX_VARINT = 10;

    private byte[] bytes;
    private int size;

    /**
     * @param capacity in bytes, to begin with
     */
    public ProtobufWriter(int capacity) {
        this.bytes = new byte[Math.max(capacity, 64)];
    }

    /** How many bytes have been written. */
    public int size() {
        return size;
    }

    /** Forgets everything from this size on. */
    public void truncate(int newSize) {
        size = Math.min(size, newSize);
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    /** What was written from a size on. */
    public byte[] copyFrom(int from) {
        return Arrays.copyOfRange(bytes, from, size);
    }

    /** The array in use, {@link #size} bytes of which are written; valid until the next call. */
    public byte[] array() {
        return bytes;
    }

    /** The tag of a field: its number and one of the wire types of {@link Wire}. */
    public void tag(int number, int wireType) {
        varint((long) number << 3 | wireType);
    }

    public void varint(long value) {
        require(MAX_VARINT);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    public void fixed64(long value) {
        require(Long.BYTES);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            bytes[size++] = (byte) (value >>> shift);
        }
    }

    /** Bytes without a tag and a length. */
    public void raw(byte[] source, int from, int to) {
        require(to - from);
        System.arraycopy(source, from, bytes, size, to - from);
        size += to - from;
    }

    /** A field that holds bytes or a text. */
    public void field(int number, byte[] source, int from, int to) {
        tag(number, Wire.LENGTH);
        varint(to - from);
        raw(source, from, to);
    }

    /** A field that holds a text. */
    public void text(int number, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        field(number, utf8, 0, utf8.length);
    }

    /** A field that holds a number of variable length. */
    public void number(int number, long value) {
        tag(number, Wire.VARINT);
        varint(value);
    }

    /** Begins a field that holds a message; returns what {@link #close} takes. */
    public int open(int number) {
        tag(number, Wire.LENGTH);
        require(1);
        return ++size;
    }

    /** Ends the message that was opened last. */
    public void close(int opened) {
        int length = size - opened;
        int more = varintSize(length) - 1;
        if (more > 0) {
            require(more);
            System.arraycopy(bytes, opened, bytes, opened + more, length);
        }
        size = opened - 1;
        varint(length);
        size += length;
    }

    /** How many bytes a field with a message takes. */
    public static long fieldLength(int number, int messageBytes) {
        return varintSize((long) number << 3) + varintSize(messageBytes) + (long) messageBytes;
    }

    /** How many bytes {@link #varint} writes. */
    public static int varintSize(long value) {
        return value == 0 ? 1 : (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7;
    }

    private void require(int more) {
        if (bytes.length - size < more) {
            long wanted = Math.max((long) size + more, bytes.length * 2L);
            bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 8));
        }
    }
}
