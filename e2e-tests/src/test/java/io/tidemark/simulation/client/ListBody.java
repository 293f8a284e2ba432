package io.tidemark.simulation.client;

import com.github.luben.zstd.ZstdInputStream;
import io.tidemark.query.compress.BodyCompressor;
import io.tidemark.query.compress.ContentCoding;
import io.tidemark.query.compress.GzipPiece;
import io.tidemark.query.compress.PieceOutput;
import io.tidemark.query.compress.SharedPieces;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** The body of a list, compressed as the client accepts it, as its client reads it. */
final class ListBody extends PieceOutput {
    private final ContentCoding coding;
    private final SharedPieces shared;
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final OutputStream out;

    /**
     * @param shared the node's
     */
    ListBody(ContentCoding coding, SharedPieces shared) throws IOException {
        this.coding = coding;
        this.shared = shared;
        this.out = coding == ContentCoding.IDENTITY ? sent : BodyCompressor.of(coding, sent);
    }

    @Override
    public Optional<SharedPieces> shared() {
        return coding == ContentCoding.GZIP ? Optional.of(shared) : Optional.empty();
    }

    /** Short ones are compressed, too: no list of the simulation is long. */
    @Override
    public boolean isHeldBack(long more) {
        return false;
    }

    @Override
    public void write(GzipPiece piece) throws IOException {
        if (out instanceof BodyCompressor compressor) {
            compressor.write(piece);
        } else {
            out.write(piece.plain());
        }
    }

    @Override
    public void write(int single) throws IOException {
        out.write(single);
    }

    @Override
    public void write(byte[] source, int from, int length) throws IOException {
        out.write(source, from, length);
    }

    /** What the client has read. */
    byte[] read() throws IOException {
        if (out instanceof BodyCompressor compressor) {
            compressor.finish();
        }
        ByteArrayInputStream bytes = new ByteArrayInputStream(sent.toByteArray());
        try (InputStream in =
                switch (coding) {
                    case IDENTITY -> bytes;
                    case GZIP -> new GZIPInputStream(bytes);
                    case ZSTD -> new ZstdInputStream(bytes);
                }) {
            return in.readAllBytes();
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
