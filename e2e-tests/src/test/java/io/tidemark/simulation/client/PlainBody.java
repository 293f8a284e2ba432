package io.tidemark.simulation.client;

import io.tidemark.query.compress.GzipPiece;
import io.tidemark.query.compress.PieceOutput;
import io.tidemark.query.compress.SharedPieces;
import java.io.ByteArrayOutputStream;
import java.util.Optional;

/** The body of a response that is not compressed. */
final class PlainBody extends PieceOutput {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public Optional<SharedPieces> shared() {
        return Optional.empty();
    }

    @Override
    public void write(GzipPiece piece) {
        bytes.writeBytes(piece.plain());
    }

    @Override
    public void write(int single) {
        bytes.write(single);
    }

    @Override
    public void write(byte[] source, int from, int length) {
        bytes.write(source, from, length);
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
