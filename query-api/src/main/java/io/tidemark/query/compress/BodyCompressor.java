package io.tidemark.query.compress;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Compresses one body as one stream. Closing it frees its native memory and writes nothing, so a
 * body that was not finished looks incomplete.
 */
public abstract sealed class BodyCompressor extends OutputStream permits GzipBody, ZstdBody {
    /**
     * @param coding other than {@link ContentCoding#IDENTITY}
     * @param out gets the compressed bytes; not closed
     * @throws IllegalArgumentException for a coding that does not compress
     */
    public static BodyCompressor of(ContentCoding coding, OutputStream out) throws IOException {
        return switch (coding) {
            case GZIP -> new GzipBody(out);
            case ZSTD -> new ZstdBody(out);
            case IDENTITY -> throw new IllegalArgumentException("not a compression: " + coding);
        };
    }

    /** Approximate memory of one, in bytes. */
    public static long memory(ContentCoding coding) {
        return switch (coding) {
            case GZIP -> GzipBody.MEMORY;
            case ZSTD -> ZstdBody.MEMORY;
            case IDENTITY -> 0;
        };
    }

    @Override
    public final void write(int single) throws IOException {
        write(new byte[] {(byte) single}, 0, 1);
    }

    /** Writes a part that is compressed already, unless the coding is another one. */
    public void write(GzipPiece piece) throws IOException {
        write(piece.plain());
    }

    /** Writes what is left and the end of the compressed stream. */
    public abstract void finish() throws IOException;

    @Override
    public abstract void close();
}
