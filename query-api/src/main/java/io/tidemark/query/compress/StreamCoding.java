package io.tidemark.query.compress;

import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.serving.watch.event.EventEncoder;
import java.util.Optional;

/**
 * The content coding of one watch's response. What it returns is sent in order, each at once; the
 * client can read each line as soon as it has its bytes. For one thread at a time.
 */
public sealed interface StreamCoding permits PlainStream, GzipStream, ZstdStream {
    /** Sends lines as they were encoded. */
    StreamCoding PLAIN = new PlainStream();

    ContentCoding coding();

    /** What is sent before the first line; may be empty. */
    byte[] start();

    /** What is sent for a line of this watch only. */
    byte[] line(byte[] line);

    /** What is sent for an event. Shared between watchers: for reading only. */
    byte[] line(Delivery event, EventEncoder form);

    /** The pieces that other responses share with this one; empty if the coding has none. */
    default Optional<SharedPieces> shared() {
        return Optional.empty();
    }

    /**
     * What is sent for lines that are compressed already. Shared: for reading only.
     *
     * @param piece one of {@link #shared}
     */
    default byte[] piece(GzipPiece piece) {
        return line(piece.plain());
    }

    /** What is sent after the last line of a response that ends in order; may be empty. */
    byte[] end();
}
