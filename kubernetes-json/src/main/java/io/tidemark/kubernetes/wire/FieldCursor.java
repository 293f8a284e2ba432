package io.tidemark.kubernetes.wire;

/**
 * Iterates over the fields of one message:
 *
 * <pre>
 * var fields = new FieldCursor(source, from, to);
 * while (fields.next()) { … fields.number() … fields.from() … }
 * </pre>
 */
public final class FieldCursor {
    private final byte[] source;
    private final int end;
    private int tagAt;
    private long tag;
    private int from;
    private int to;

    /** Before the first field of the message in {@code [from, to)}. */
    public FieldCursor(byte[] source, int from, int to) {
        this.source = source;
        this.to = from;
        this.end = to;
    }

    /** Advances to the next field; false at the end. */
    public boolean next() {
        if (to >= end) {
            return false;
        }
        tagAt = to;
        tag = Wire.varint(source, tagAt, end);
        from = Wire.afterVarint(source, tagAt, end);
        to = Wire.afterValue(source, wireType(), from, end);
        if (wireType() == Wire.LENGTH) {
            from = Wire.afterVarint(source, from, end);
        }
        return true;
    }

    /** Start of the field, where its tag is. */
    public int tagAt() {
        return tagAt;
    }

    /** The field's number, in the schema's terms. */
    public long number() {
        return tag >>> 3;
    }

    /** One of the constants of {@link Wire}. */
    public int wireType() {
        return (int) tag & 7;
    }

    /** Start of the value; after the length for a length-delimited one. */
    public int from() {
        return from;
    }

    /** End of the value, exclusive. */
    public int to() {
        return to;
    }

    boolean isNumber() {
        return wireType() == Wire.VARINT;
    }

    /** The value, for a field of type {@link Wire#VARINT}. */
    public long varint() {
        return Wire.varint(source, from, to);
    }

    /** Whether it has a length: a text, bytes or a message. */
    public boolean isBytes() {
        return wireType() == Wire.LENGTH;
    }
}
