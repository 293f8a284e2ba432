package io.tidemark.query.http;

import java.io.IOException;
import java.io.OutputStream;

/** A response that does not end: line after line. */
record StreamSink(OutputStream out) implements EventSink {
    @Override
    public void send(byte[] line) throws IOException {
        out.write(line);
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }
}
