package io.tidemark.query.http;

import java.io.IOException;

/**
 * Where a watch's events go. It holds little: who writes waits for a client that reads slowly. For
 * one thread.
 */
interface EventSink {
    /**
     * Takes an event's line, line feed included, which it only reads.
     *
     * @throws IOException when the client is gone
     */
    void send(byte[] line) throws IOException, InterruptedException;

    /** All that was sent is on its way to the client. */
    void flush() throws IOException, InterruptedException;
}
