package io.tidemark.kubernetes;

/**
 * Walks over the fields of one message:
 *
 * <pre>
 * var fields = new FieldCursor(source, from, to);
 * while (fields.next()) { … fields.number() … fields.from() … }
 * </pre>
 */
final class FieldCursor {
    private final byte[] source;
    private final int end;
    private int tagAt;
    private long tag;
    private int from;
    private int to;

    FieldCursor(byte[] source, int from, int to) {
        this.source = source;
        this.to = from;
        this.end = to;
    }

    /** Goes to the next field; false when there is none. */
    boolean next() {
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

    int tagAt() {
        return tagAt;
    }

    long number() {
        return tag >>> 3;
    }

    int wireType() {
        return (int) tag & 7;
    }

    /** Where the value begins; behind the length for a value that has one. */
    int from() {
        return from;
    }

    /** Where the value ends. */
    int to() {
        return to;
    }

    boolean isNumber() {
        return wireType() == Wire.VARINT;
    }

    long varint() {
        return Wire.varint(source, from, to);
    }

    boolean isBytes() {
        return wireType() == Wire.LENGTH;
    }
}
