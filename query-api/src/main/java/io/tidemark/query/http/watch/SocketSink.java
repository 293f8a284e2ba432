package io.tidemark.query.http.watch;

import io.tidemark.query.watch.EventSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;

/**
 * Sends each line as a WebSocket text frame. Frames are sent in order, so the completion of the
 * last one completes all; {@link #send} waits for it once {@link #WINDOW} bytes are in flight.
 */
final class SocketSink implements EventSink {
    private static final int WINDOW = 64 << 10;

    private final CoreSession session;
    private final PendingWrite pending;
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
    private long inFlight;

    SocketSink(CoreSession session, PendingWrite pending) {
        this.session = session;
        this.pending = pending;
    }

    @Override
    public void send(byte[] line) throws IOException, InterruptedException {
        Callback.Completable sent = new Callback.Completable();
        session.sendFrame(new Frame(OpCode.TEXT, ByteBuffer.wrap(line)), sent, false);
        last = sent;
        inFlight += line.length;
        if (inFlight >= WINDOW) {
            flush();
        }
    }

    @Override
    public void flush() throws IOException, InterruptedException {
        pending.begin();
        try {
            last.get();
            inFlight = 0;
        } catch (ExecutionException e) {
            throw new IOException("the WebSocket's client has disconnected", e.getCause());
        } finally {
            pending.end();
        }
    }
}
