package io.tidemark.bench.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Requests of one client on a shared session, each on a stream made for it. */
final class Http2Stream implements Connection {
    private final Http2Session session;

    // Guarded by this; written by the session's reader, but for the sink.
    private int id;
    private int status;
    private @Nullable BodySink sink;
    private boolean ended;
    private @Nullable IOException failure;
    private long bytes;
    private boolean closed;

    Http2Stream(Http2Session session) {
        this.session = session;
    }

    @Override
    public synchronized ResponseReader.Head send(Request request) throws IOException {
        status = 0;
        sink = null;
        ended = false;
        bytes = 0;
        id = session.begin(this, request);
        while (status == 0) {
            requireUsable();
            if (ended) {
                throw new EOFException("a response without a status");
            }
            pause();
        }
        return new ResponseReader.Head(status);
    }

    @Override
    public synchronized long readBody(BodySink receiver) throws IOException {
        sink = receiver;
        notifyAll();
        while (!ended) {
            requireUsable();
            pause();
        }
        return bytes;
    }

    private void requireUsable() throws IOException {
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
        if (closed) {
            throw new EOFException("closed");
        }
    }

    private void pause() throws InterruptedIOException {
        try {
            wait();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    // From here on, all by the session's reader.

    synchronized boolean hasHead() {
        return status != 0;
    }

    synchronized void onHead(int received) {
        status = received;
        notifyAll();
    }

    /** Waits until the body has a reader; until then the whole session is not read. */
    synchronized void onData(ByteBuffer part) throws IOException {
        while (sink == null && !closed) {
            pause();
        }
        if (sink != null && !closed) {
            bytes += part.remaining();
            sink.accept(part);
        }
    }

    synchronized void onEnd() {
        ended = true;
        notifyAll();
    }

    synchronized void onFailure(IOException reason) {
        failure = reason;
        notifyAll();
    }

    @Override
    public void close() {
        int open;
        synchronized (this) {
            open = ended || failure != null || closed ? 0 : id;
            closed = true;
            notifyAll();
        }
        if (open != 0) {
            session.cancel(open);
        }
    }
}
