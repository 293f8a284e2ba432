package io.tidemark.peer.wire;

import io.tidemark.record.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes numbers big-endian, and bytes and text after their length. */
final class WireOutput {
    private final ByteArrayOutputStream out;

    WireOutput() {
        this(256);
    }

    /**
     * @param expected roughly how many bytes there will be
     */
    WireOutput(int expected) {
        out = new ByteArrayOutputStream(expected);
    }

    void oneByte(int value) {
        out.write(value);
    }

    void flag(boolean value) {
        out.write(value ? 1 : 0);
    }

    void int32(int value) {
        out.write(value >>> 24);
        out.write(value >>> 16);
        out.write(value >>> 8);
        out.write(value);
    }

    void int64(long value) {
        int32((int) (value >>> 32));
        int32((int) value);
    }

    void bytes(byte[] value) {
        int32(value.length);
        out.writeBytes(value);
    }

    void bytes(Bytes value) {
        bytes(value.array());
    }

    void text(String value) {
        bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    byte[] toByteArray() {
        return out.toByteArray();
    }
}
