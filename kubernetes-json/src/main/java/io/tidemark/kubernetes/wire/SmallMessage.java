package io.tidemark.kubernetes.wire;

import java.nio.charset.StandardCharsets;

/**
 * A message of at most three fields, numbers or bytes, the encoding of the special types. An absent
 * field is 0 or empty.
 */
public final class SmallMessage {
    private static final int FIELDS = 3;

    private final byte[] source;
    private final int[] from = new int[FIELDS + 1];
    private final int[] to = new int[FIELDS + 1];
    private final boolean[] bytes = new boolean[FIELDS + 1];

    private SmallMessage(byte[] source) {
        this.source = source;
    }

    /**
     * @throws DecodeException when {@code [start, end)} is no message
     */
    public static SmallMessage read(byte[] source, int start, int end) {
        SmallMessage message = new SmallMessage(source);
        FieldCursor fields = new FieldCursor(source, start, end);
        while (fields.next()) {
            if (fields.number() >= 1 && fields.number() <= FIELDS) {
                int field = (int) fields.number();
                message.bytes[field] = fields.isBytes();
                message.from[field] = fields.from();
                message.to[field] = fields.to();
            }
        }
        return message;
    }

    /**
     * @param field 1 to 3, here and in the other methods
     */
    public boolean has(int field) {
        return from[field] != 0;
    }

    /**
     * @throws DecodeException when the field is a number
     */
    public int from(int field) {
        check(field, true);
        return from[field];
    }

    /**
     * Exclusive.
     *
     * @throws DecodeException when the field is a number
     */
    public int to(int field) {
        check(field, true);
        return to[field];
    }

    /**
     * @throws DecodeException when the field is a number
     */
    public String text(int field) {
        return new String(source, from(field), to(field) - from(field), StandardCharsets.UTF_8);
    }

    /**
     * @throws DecodeException when the field is bytes
     */
    public long number(int field) {
        check(field, false);
        return has(field) ? Wire.varint(source, from[field], to[field]) : 0;
    }

    private void check(int field, boolean expectBytes) {
        if (has(field) && bytes[field] != expectBytes) {
            throw DecodeException.malformed("wrong wire type in a value's field " + field);
        }
    }
}
