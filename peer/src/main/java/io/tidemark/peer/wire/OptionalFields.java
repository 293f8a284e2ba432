package io.tidemark.peer.wire;

import io.tidemark.record.Bytes;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Fields that a receiver may not know: a tag of one byte, the length, the value; a tag of 0 ends
 * them. A receiver skips unknown tags, so a field may be optional only where ignoring it leaves an
 * answer correct. Tags are never reused.
 */
final class OptionalFields {
    private static final int END = 0;

    private final Map<Integer, byte[]> values;

    private OptionalFields(Map<Integer, byte[]> values) {
        this.values = values;
    }

    /** Writes a field of eight bytes. */
    static void write(int tag, long value, WireOutput out) {
        write(tag, ByteBuffer.allocate(Long.BYTES).putLong(value).array(), out);
    }

    static void write(int tag, byte[] value, WireOutput out) {
        if (tag <= END || tag > 255) {
            throw new IllegalArgumentException("tag " + tag);
        }
        out.oneByte(tag);
        out.bytes(value);
    }

    static void end(WireOutput out) {
        out.oneByte(END);
    }

    static OptionalFields read(WireInput in) throws WireException {
        Map<Integer, byte[]> values = new HashMap<>();
        for (int tag = in.oneByte(); tag != END; tag = in.oneByte()) {
            values.put(tag, in.bytes());
        }
        return new OptionalFields(values);
    }

    /** Reads fields of which none is known here. */
    static void skip(WireInput in) throws WireException {
        for (int tag = in.oneByte(); tag != END; tag = in.oneByte()) {
            in.skipBytes();
        }
    }

    /** The value of a field; empty when it is absent. */
    Bytes bytes(int tag) {
        byte[] value = values.get(tag);
        return value == null ? Bytes.EMPTY : Bytes.wrap(value);
    }

    /**
     * The value of a field of eight bytes.
     *
     * @throws WireException when it has another length
     */
    long int64(int tag, long otherwise) throws WireException {
        byte[] value = values.get(tag);
        if (value == null) {
            return otherwise;
        }
        if (value.length != Long.BYTES) {
            throw new WireException("field " + tag + " has " + value.length + " bytes");
        }
        return ByteBuffer.wrap(value).getLong();
    }
}
