package io.tidemark.query.http.watch;

import io.tidemark.query.watch.EventSink;
import java.io.IOException;

/** Knows whether it waits for its client. */
final class WatchedSink implements EventSink {
    private final EventSink sink;
    private volatile boolean writing;

    WatchedSink(EventSink sink) {
        this.sink = sink;
    }

    /** Whether a write has not returned; for any thread. */
    boolean isWriting() {
        return writing;
    }

    @Override
    public void send(byte[] line) throws IOException, InterruptedException {
        writing = true;
        try {
            sink.send(line);
        } finally {
            writing = false;
        }
    }

    @Override
    public void flush() throws IOException, InterruptedException {
        writing = true;
        try {
            sink.flush();
        } finally {
            writing = false;
        }
    }
}
