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
    /** None for a stream that is not compressed. */
    static Optional<PieceReader> of(StreamCoding coding) {
        return switch (coding.coding()) {
            case IDENTITY -> Optional.empty();
            case GZIP -> Optional.of(new GzipReader(coding));
            case ZSTD -> Optional.of(new ZstdReader());
        };
    }

    /** The lines of a piece. */
    final List<byte[]> lines(byte[] piece) {
        byte[] text = decode(piece);
        List<byte[]> lines = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < text.length; at++) {
            if (text[at] == '\n') {
                lines.add(Arrays.copyOfRange(text, from, at + 1));
                from = at + 1;
            }
        }
        if (from != text.length) {
            throw new IllegalStateException("a piece ends inside a line");
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
