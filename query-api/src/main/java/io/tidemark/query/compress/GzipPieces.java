package io.tidemark.query.compress;

import io.tidemark.serving.watch.event.LineCoding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.Deflater;

/**
 * Compresses lines and other parts to pieces that fit into any gzip stream, at any place of it: a
 * piece refers to nothing before it and ends at a byte with an empty block. So a reader of the
 * stream has the whole part as soon as it has the piece: Go's returns what it has at an empty
 * block, not at the end of others.
 */
final class GzipPieces implements LineCoding<GzipPiece>, AutoCloseable {
    /** Up to this size compression saves too few bytes for the time it takes. */
    static final int STORED = 256;

    /** The head of a stored block: three bits and their padding, the length and its complement. */
    private static final int HEAD = 5;

    private static final byte[] EMPTY_BLOCK = {0, 0, 0, (byte) 0xff, (byte) 0xff};

    private final Pool<Deflater> deflaters;
    private final LongAdder made = new LongAdder();

    /**
     * @param level of zlib, from 1 (fastest) to 9
     */
    GzipPieces(int level) {
        this.deflaters = new Pool<>(() -> new Deflater(level, true), Deflater::end);
    }

    @Override
    public GzipPiece encode(byte[] line) {
        made.increment();
        byte[] bytes =
                line.length <= STORED
                        ? stored(line)
                        : deflaters.use(deflater -> deflated(deflater, line));
        return new GzipPiece(bytes, ContentSum.of(line));
    }

    @Override
    public Class<GzipPiece> type() {
        return GzipPiece.class;
    }

    /** How many pieces it has made. */
    long made() {
        return made.sum();
    }

    private static byte[] stored(byte[] line) {
        return ByteBuffer.allocate(HEAD + line.length + EMPTY_BLOCK.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 0)
                .putShort((short) line.length)
                .putShort((short) ~line.length)
                .put(line)
                .put(EMPTY_BLOCK)
                .array();
    }

    /** The flush ends the piece with an empty block; the reset makes it refer to nothing before. */
    private static byte[] deflated(Deflater deflater, byte[] line) {
        deflater.reset();
        deflater.setInput(line);
        byte[] out = new byte[Math.max(STORED, line.length / 2)];
        int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
        while (length == out.length) {
            out = Arrays.copyOf(out, 2 * length);
            length += deflater.deflate(out, length, out.length - length, Deflater.SYNC_FLUSH);
        }
        return Arrays.copyOf(out, length);
    }

    @Override
    public void close() {
        deflaters.close();
    }
}
