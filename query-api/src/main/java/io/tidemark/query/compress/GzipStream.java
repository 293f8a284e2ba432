package io.tidemark.query.compress;

import io.tidemark.serving.watch.Delivery;
import io.tidemark.serving.watch.EventEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A stream of gzip with one member (RFC 1952). Some readers wait for the header of the next member
 * at the end of each, so a member for each line would delay lines.
 */
final class GzipStream implements StreamCoding {
    /** No name, no time, the fastest compression, no known operating system. */
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 4, (byte) 0xff};

    /** An empty block that is marked as the last one. */
    private static final byte[] LAST_BLOCK = {3, 0};

    private static final int TRAILER = LAST_BLOCK.length + 2 * Integer.BYTES;

    private final GzipPieces pieces;
    private ContentSum sent = ContentSum.EMPTY;

    GzipStream(GzipPieces pieces) {
        this.pieces = pieces;
    }

    @Override
    public ContentCoding coding() {
        return ContentCoding.GZIP;
    }

    @Override
    public byte[] start() {
        return HEADER.clone();
    }

    @Override
    public byte[] line(byte[] line) {
        return add(pieces.encode(line));
    }

    @Override
    public byte[] line(Delivery event, EventEncoder form) {
        return add(event.line(form, pieces));
    }

    private byte[] add(GzipPiece piece) {
        sent = sent.then(piece.content());
        return piece.bytes();
    }

    @Override
    public byte[] end() {
        return ByteBuffer.allocate(TRAILER)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(LAST_BLOCK)
                .putInt(sent.crc())
                .putInt((int) sent.length())
                .array();
    }
}
