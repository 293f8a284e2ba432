package io.tidemark.simulation.client;

import io.tidemark.query.compress.BodyCompressor;
import io.tidemark.query.compress.ContentCoding;
import io.tidemark.query.compress.GzipPiece;
import io.tidemark.query.compress.PieceOutput;
import io.tidemark.query.compress.SharedPieces;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** The body of a list, in gzip if the client accepts that, as its client reads it. */
final class ListBody extends PieceOutput {
    private final Optional<SharedPieces> shared;
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final OutputStream out;

    /**
     * @param shared the node's, if the client accepts gzip
     */
    ListBody(Optional<SharedPieces> shared) throws IOException {
        this.shared = shared;
        this.out = shared.isPresent() ? BodyCompressor.of(ContentCoding.GZIP, sent) : sent;
    }

    @Override
    public Optional<SharedPieces> shared() {
        return shared;
    }

    /** Short ones are compressed, too: no list of the simulation is long. */
    @Override
    public boolean isHeldBack(long more) {
        return false;
    }

    @Override
    public void write(GzipPiece piece) throws IOException {
        if (out instanceof BodyCompressor gzip) {
            gzip.write(piece);
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
        if (!(out instanceof BodyCompressor gzip)) {
            return sent.toByteArray();
        }
        gzip.finish();
        try (GZIPInputStream in =
                new GZIPInputStream(new ByteArrayInputStream(sent.toByteArray()))) {
            return in.readAllBytes();
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
