package io.tidemark.simulation.client;

import io.tidemark.query.compress.StreamCoding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads a watch's compressed stream as its client does, each piece when it comes. Fails when a
 * piece does not hold whole lines.
 */
abstract class PieceReader {
    private final ClientForm form;

    PieceReader(ClientForm form) {
        this.form = form;
    }

    /** None for a stream that is not compressed. */
    static Optional<PieceReader> of(StreamCoding coding, ClientForm form) {
        return switch (coding.coding()) {
            case IDENTITY -> Optional.empty();
            case GZIP -> Optional.of(new GzipReader(coding, form));
            case ZSTD -> Optional.of(new ZstdReader(form));
        };
    }

    /** The lines of a piece. */
    final List<byte[]> lines(byte[] piece) {
        byte[] text = decode(piece);
        List<byte[]> lines = new ArrayList<>();
        for (int from = 0; from < text.length; ) {
            int to = form.endOfLine(text, from);
            if (to > text.length) {
                throw new IllegalStateException("a piece ends inside a line");
            }
            lines.add(Arrays.copyOfRange(text, from, to));
            from = to;
        }
        return lines;
    }

    /** All that can be read once this piece has come. */
    abstract byte[] decode(byte[] piece);

    /** The stream ends in order. */
    abstract void end(byte[] end);

    /** The watch is over. */
    abstract void close();
}
