package io.tidemark.query.compress;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** Takes a body as bytes and, where that saves compressing them again, as pieces. */
public abstract class PieceOutput extends OutputStream {
    /** The pieces that other bodies share with this one; empty if pieces would save nothing. */
    public abstract Optional<SharedPieces> shared();

    /** Whether a body with so many bytes more would be short enough not to be compressed. */
    public abstract boolean isHeldBack(long more);

    /** Writes a part of the body that is compressed already. */
    public abstract void write(GzipPiece piece) throws IOException;
}
