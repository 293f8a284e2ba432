package io.tidemark.peer.wire;

import io.tidemark.record.BigEndian;
import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes numbers big-endian, and bytes and text after their length. */
final class WireOutput {
    /** What a JVM can allocate. */
    private static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

    private byte[] out;
    private int length;

    WireOutput() {
        this(256);
    }

    /**
     * @param expected roughly how many bytes there will be
     */
    WireOutput(int expected) {
        out = new byte[expected];
    }

    void oneByte(int value) {
        reserve(1);
        out[length++] = (byte) value;
    }

    void flag(boolean value) {
        oneByte(value ? 1 : 0);
    }

    void int32(int value) {
        reserve(Integer.BYTES);
        BigEndian.put(out, length, value);
        length += Integer.BYTES;
    }

    void int64(long value) {
        reserve(Long.BYTES);
        BigEndian.put(out, length, value);
        length += Long.BYTES;
    }

    void bytes(byte[] value) {
        int32(value.length);
        reserve(value.length);
        System.arraycopy(value, 0, out, length, value.length);
        length += value.length;
    }

    void bytes(Bytes value) {
        bytes(value.array());
    }

    void text(String value) {
        bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    byte[] toByteArray() {
        return Arrays.copyOf(out, length);
    }

    private void reserve(int more) {
        int needed = Math.addExact(length, more);
        if (needed > out.length) {
            out = Arrays.copyOf(out, (int) Math.clamp(2L * out.length, needed, MAX_LENGTH));
        }
    }
}
