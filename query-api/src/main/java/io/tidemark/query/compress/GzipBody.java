package io.tidemark.query.compress;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** A body as a gzip stream. */
final class GzipBody extends BodyCompressor {
    /** Approximate memory of one zlib stream. */
    static final long MEMORY = 320 << 10;

    /** Compressed bytes are passed on in pieces of this size. */
    private static final int PIECE = 64 << 10;

    private final FastGzip gzip;

    GzipBody(OutputStream out) throws IOException {
        this.gzip = new FastGzip(out);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        gzip.write(bytes, from, length);
    }

    @Override
    public void finish() throws IOException {
        gzip.finish();
    }

    @Override
    public void close() {
        gzip.free();
    }

    /** Level 1: eight times as fast as the default level at a similar size. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, PIECE);
            def.setLevel(Deflater.BEST_SPEED);
        }

        /** Frees the native memory, which else stays until garbage collection. */
        void free() {
            def.end();
        }
    }
}
