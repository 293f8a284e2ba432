package io.tidemark.peer.wire;

import io.tidemark.record.Bytes;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads what {@link WireOutput} wrote, and trusts no length beyond the bytes that are there. */
final class WireInput {
    private final ByteBuffer in;

    WireInput(byte[] bytes) {
        in = ByteBuffer.wrap(bytes);
    }

    int oneByte() throws WireException {
        require(1);
        return in.get() & 0xff;
    }

    boolean flag() throws WireException {
        int value = oneByte();
        if (value > 1) {
            throw new WireException("invalid flag: " + value);
        }
        return value == 1;
    }

    int int32() throws WireException {
        require(Integer.BYTES);
        return in.getInt();
    }

    long int64() throws WireException {
        require(Long.BYTES);
        return in.getLong();
    }

    byte[] bytes() throws WireException {
        int length = int32();
        require(length);
        byte[] value = new byte[length];
        try {
            in.get(value);
        } catch (BufferUnderflowException e) {
            throw new WireException("the message ends early");
        }
        return value;
    }

    void skipBytes() throws WireException {
        int length = int32();
        require(length);
        in.position(in.position() + length);
    }

    Bytes wrapped() throws WireException {
        return Bytes.wrap(bytes());
    }

    String text() throws WireException {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    /**
     * How many elements follow.
     *
     * @param leastBytesEach an element's smallest size, to reject counts that cannot be true
     */
    int count(int leastBytesEach) throws WireException {
        int count = int32();
        if (count < 0 || count > in.remaining() / leastBytesEach) {
            throw new WireException(
                    "count " + count + " exceeds the " + in.remaining() + " bytes left");
        }
        return count;
    }

    /**
     * @throws WireException when bytes are left over
     */
    void end() throws WireException {
        if (in.hasRemaining()) {
            throw new WireException(in.remaining() + " bytes follow the message");
        }
    }

    private void require(int length) throws WireException {
        if (length < 0 || length > in.remaining()) {
            throw new WireException(
                    "the message ends early: %d bytes expected, %d left"
                            .formatted(length, in.remaining()));
        }
    }
}
