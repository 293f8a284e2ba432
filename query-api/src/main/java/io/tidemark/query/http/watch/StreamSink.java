package io.tidemark.query.http.watch;

import io.tidemark.query.watch.EventSink;
import java.io.IOException;
import java.io.OutputStream;

/** Sends events as lines of a streamed response. */
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
