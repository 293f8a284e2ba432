package io.tidemark.query.compress;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * A body as a gzip stream of one member (RFC 1952). What is written as bytes is compressed here;
 * between such stretches, {@link GzipPiece pieces} are copied.
 */
final class GzipBody extends BodyCompressor {
    /** Approximate memory of one: of zlib's stream, and of a long piece while it is made. */
    static final long MEMORY = (320 << 10) + SharedPieces.MEMORY;

    /** Compressed bytes are passed on in buffers of this size. */
    private static final int BUFFER = 64 << 10;

    private final OutputStream out;

    /** Level 1: eight times as fast as the default level at a similar size. */
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);

    private final byte[] buffer = new byte[BUFFER];
    private int filled;

    /** Of the bytes since the last piece. */
    private final CRC32 checksum = new CRC32();

    private long stretch;

    /** Of what lies before them. */
    private ContentSum before = ContentSum.EMPTY;

    GzipBody(OutputStream out) throws IOException {
        this.out = out;
        put(GzipFormat.header());
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        checksum.update(bytes, from, length);
        stretch += length;
        deflater.setInput(bytes, from, length);
        while (!deflater.needsInput()) {
            deflate(Deflater.NO_FLUSH);
        }
    }

    @Override
    public void write(GzipPiece piece) throws IOException {
        endStretch();
        put(piece.bytes());
        before = before.then(piece.content());
    }

    /**
     * Ends the stretch at a byte. A later one must not refer to it, as pieces in between change the
     * distance.
     */
    private void endStretch() throws IOException {
        if (stretch == 0) {
            return;
        }
        // Room is left only when everything is flushed.
        do {
            deflate(Deflater.SYNC_FLUSH);
        } while (filled == BUFFER);
        deflater.reset();
        sumStretch();
    }

    private void sumStretch() {
        before = before.then(ContentSum.of(checksum, stretch));
        checksum.reset();
        stretch = 0;
    }

    @Override
    public void finish() throws IOException {
        sumStretch();
        deflater.finish();
        while (!deflater.finished()) {
            deflate(Deflater.NO_FLUSH);
        }
        put(GzipFormat.trailer(before));
        pass();
    }

    private void deflate(int flush) throws IOException {
        if (filled == BUFFER) {
            pass();
        }
        filled += deflater.deflate(buffer, filled, BUFFER - filled, flush);
    }

    private void put(byte[] bytes) throws IOException {
        for (int at = 0; at < bytes.length; ) {
            if (filled == BUFFER) {
                pass();
            }
            int length = Math.min(BUFFER - filled, bytes.length - at);
            System.arraycopy(bytes, at, buffer, filled, length);
            filled += length;
            at += length;
        }
    }

    private void pass() throws IOException {
        out.write(buffer, 0, filled);
        filled = 0;
    }

    /** Frees the native memory, which else stays until garbage collection. */
    @Override
    public void close() {
        deflater.end();
    }
}
