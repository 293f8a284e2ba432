package io.tidemark.kubernetes;

/**
 * Iterates over the fields of one message:
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

    /** Advances to the next field; false at the end. */
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

    /** Start of the value; after the length for a length-delimited one. */
    int from() {
        return from;
    }

    /** End of the value, exclusive. */
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
