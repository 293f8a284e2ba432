package io.tidemark.query.compress;

import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.serving.watch.event.EventEncoder;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A stream of gzip with one member (RFC 1952). Some readers wait for the header of the next member
 * at the end of each, so a member for each line would delay lines.
 */
final class GzipStream implements StreamCoding {
    /** An empty block that is marked as the last one. */
    private static final byte[] LAST_BLOCK = {3, 0};

    private final GzipPieces pieces;
    private final SharedPieces shared;
    private ContentSum sent = ContentSum.EMPTY;

    GzipStream(GzipPieces pieces, SharedPieces shared) {
        this.pieces = pieces;
        this.shared = shared;
    }

    @Override
    public ContentCoding coding() {
        return ContentCoding.GZIP;
    }

    @Override
    public byte[] start() {
        return GzipFormat.header();
    }

    @Override
    public byte[] line(byte[] line) {
        return add(pieces.encode(line));
    }

    @Override
    public byte[] line(Delivery event, EventEncoder form) {
        return add(event.line(form, pieces));
    }

    @Override
    public Optional<SharedPieces> shared() {
        return Optional.of(shared);
    }

    @Override
    public byte[] piece(GzipPiece piece) {
        return add(piece);
    }

    private byte[] add(GzipPiece piece) {
        sent = sent.then(piece.content());
        return piece.bytes();
    }

    @Override
    public byte[] end() {
        byte[] trailer = GzipFormat.trailer(sent);
        return ByteBuffer.allocate(LAST_BLOCK.length + trailer.length)
                .put(LAST_BLOCK)
                .put(trailer)
                .array();
    }
}
