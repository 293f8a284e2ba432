package io.tidemark.peer.wire;

import io.tidemark.record.Bytes;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads what {@link WireOutput} wrote. No length is believed beyond the bytes that are there. */
public final class WireInput {
    private final ByteBuffer in;

    public WireInput(byte[] bytes) {
        in = ByteBuffer.wrap(bytes);
    }

    int oneByte() throws WireException {
        require(1);
        return in.get() & 0xff;
    }

    boolean flag() throws WireException {
        int value = oneByte();
        if (value > 1) {
            throw new WireException("a flag of " + value);
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
            throw new WireException("it ends early");
        }
        return value;
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
     * @param leastBytesEach what one takes at least, so that no count is believed that cannot be
     */
    int count(int leastBytesEach) throws WireException {
        int count = int32();
        if (count < 0 || count > in.remaining() / leastBytesEach) {
            throw new WireException("a count of " + count + " in front of " + in.remaining());
        }
        return count;
    }

    /**
     * @throws WireException when something is left over
     */
    public void end() throws WireException {
        if (in.hasRemaining()) {
            throw new WireException(in.remaining() + " bytes too many");
        }
    }

    private void require(int length) throws WireException {
        if (length < 0 || length > in.remaining()) {
            throw new WireException(
                    "it ends early: %d bytes wanted, %d left".formatted(length, in.remaining()));
        }
    }
}
