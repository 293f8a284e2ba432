package io.tidemark.simulation.client;

import io.tidemark.query.compress.StreamCoding;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Reads a stream of gzip, and fails when its end does not fit what came before. */
final class GzipReader extends PieceReader {
    private static final byte[] MAGIC = {0x1f, (byte) 0x8b, 8, 0};
    private static final int HEADER = 10;

    private final Inflater inflater = new Inflater(true);
    private final CRC32 sum = new CRC32();
    private long length;

    /** The lines of a watch begin. */
    GzipReader(StreamCoding coding, ClientForm form) {
        super(form);
        byte[] start = coding.start();
        if (start.length != HEADER
                || !ByteBuffer.wrap(start, 0, 4).equals(ByteBuffer.wrap(MAGIC))) {
            throw new IllegalStateException("no gzip header of " + HEADER + " bytes");
        }
    }

    @Override
    void end(byte[] end) {
        if (decode(end).length > 0 || !inflater.finished()) {
            throw new IllegalStateException("the stream has no end");
        }
        ByteBuffer trailer =
                ByteBuffer.wrap(end, end.length - inflater.getRemaining(), inflater.getRemaining())
                        .order(ByteOrder.LITTLE_ENDIAN);
        if (trailer.remaining() != 2 * Integer.BYTES
                || trailer.getInt() != (int) sum.getValue()
                || trailer.getInt() != (int) length) {
            throw new IllegalStateException("the stream's sums are wrong");
        }
    }

    @Override
    void close() {
        inflater.end();
    }

    @Override
    byte[] decode(byte[] piece) {
        inflater.setInput(piece);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        byte[] buffer = new byte[4 << 10];
        try {
            for (int read = inflater.inflate(buffer); read > 0; read = inflater.inflate(buffer)) {
                text.write(buffer, 0, read);
                sum.update(buffer, 0, read);
                length += read;
            }
        } catch (DataFormatException e) {
            throw new IllegalStateException(e);
        }
        return text.toByteArray();
    }
}
