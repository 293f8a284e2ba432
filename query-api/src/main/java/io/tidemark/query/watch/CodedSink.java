package io.tidemark.query.watch;

import io.tidemark.query.compress.StreamCoding;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * Compresses lines that no other watch gets, such as initial events. Small ones are compressed
 * together, which is faster and smaller than one by one; they wait for {@link #flush} at most. For
 * one thread.
 */
public final class CodedSink implements EventSink {
    /** No more bytes than a connection's buffer holds back anyway. */
    static final int BATCH = 32 << 10;

    private final EventSink sink;
    private final StreamCoding coding;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();

    public CodedSink(EventSink sink, StreamCoding coding) {
        this.sink = sink;
        this.coding = coding;
    }

    @Override
    public void send(byte[] line) throws IOException, InterruptedException {
        if (held.size() + line.length > BATCH) {
            sendHeld();
        }
        if (line.length > BATCH) {
            sink.send(coding.line(line));
        } else {
            held.writeBytes(line);
        }
    }

    @Override
    public void flush() throws IOException, InterruptedException {
        sendHeld();
        sink.flush();
    }

    private void sendHeld() throws IOException, InterruptedException {
        if (held.size() > 0) {
            byte[] lines = held.toByteArray();
            held.reset();
            sink.send(coding.line(lines));
        }
    }
}
