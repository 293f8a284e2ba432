package io.tidemark.bench.http;

import java.io.IOException;

/**
 * Where one request is sent after the other. Reads of a virtual thread block only that thread.
 * {@link #close} from another thread ends a read.
 */
public sealed interface Connection extends AutoCloseable permits Http1Connection, Http2Stream {
    /** Sends a request and reads the head of its response. */
    ResponseReader.Head send(Request request) throws IOException;

    /**
     * Reads the body of the last response.
     *
     * @return its bytes, without framing
     */
    long readBody(BodySink sink) throws IOException;

    @Override
    void close();
}
