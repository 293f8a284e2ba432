package io.tidemark.query.compress;

import io.tidemark.serving.watch.event.CodedLine;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A part of a stream, such as a line or some objects of a list, as whole blocks of deflate, none of
 * them the last.
 *
 * @param bytes shared: for reading only
 * @param content of the part before compression
 */
public record GzipPiece(byte[] bytes, ContentSum content) implements CodedLine {
    /** Length before compression, in bytes. */
    public int length() {
        return (int) content.length();
    }

    /** The part before compression. */
    public byte[] plain() {
        byte[] plain = new byte[length()];
        try (Inflater inflater = new Inflater(true)) {
            inflater.setInput(bytes);
            int filled = 0;
            while (filled < plain.length) {
                int more = inflater.inflate(plain, filled, plain.length - filled);
                if (more == 0) {
                    throw new IllegalStateException(
                            "a piece of %d bytes ends after %d".formatted(plain.length, filled));
                }
                filled += more;
            }
        } catch (DataFormatException e) {
            throw new IllegalStateException("a piece that is no deflate", e);
        }
        return plain;
    }
}
