package io.tidemark.query.watch;

import java.io.IOException;

/**
 * Sends a watch's events to its client. It buffers little: writes block on a slow client. For one
 * thread.
 */
public interface EventSink {
    /**
     * Sends an event's line, including its line feed; does not modify it.
     *
     * @throws IOException when the client has disconnected
     */
    void send(byte[] line) throws IOException, InterruptedException;

    /** Returns when all lines have been written to the connection. */
    void flush() throws IOException, InterruptedException;
}
