package io.tidemark.bench.content;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes protobuf's wire format by field numbers, as few messages are needed and no schema. */
public final class ProtobufWriter {
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** An object as an API server stores it: magic, type and object. */
    public static byte[] stored(String apiVersion, String kind, ProtobufWriter object) {
        ProtobufWriter envelope =
                new ProtobufWriter()
                        .message(1, new ProtobufWriter().text(1, apiVersion).text(2, kind))
                        .message(2, object)
                        .text(3, "")
                        .text(4, "");
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.writeBytes(MAGIC);
        value.writeBytes(envelope.bytes());
        return value.toByteArray();
    }

    public ProtobufWriter number(int field, long value) {
        varint((long) field << 3);
        varint(value);
        return this;
    }

    public ProtobufWriter text(int field, String text) {
        return bytes(field, text.getBytes(StandardCharsets.UTF_8));
    }

    public ProtobufWriter message(int field, ProtobufWriter message) {
        return bytes(field, message.bytes());
    }

    /** An entry of a map of strings. */
    public ProtobufWriter entry(int field, String key, String value) {
        return message(field, new ProtobufWriter().text(1, key).text(2, value));
    }

    /** An entry of a map of quantities. */
    public ProtobufWriter quantity(int field, String key, String value) {
        return message(
                field,
                new ProtobufWriter().text(1, key).message(2, new ProtobufWriter().text(1, value)));
    }

    public byte[] bytes() {
        return out.toByteArray();
    }

    public ProtobufWriter bytes(int field, byte[] bytes) {
        varint((long) field << 3 | 2);
        varint(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    private void varint(long value) {
        long rest = value;
        while (rest >= 0x80) {
            out.write((int) (rest | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
