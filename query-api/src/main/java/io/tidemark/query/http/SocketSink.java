package io.tidemark.query.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;

/**
 * One text frame for each line. Frames go out in order, so that the last one's arrival in the
 * socket is that of all; who sends waits for it once {@link #WINDOW} bytes are on their way.
 */
final class SocketSink implements EventSink {
    private static final int WINDOW = 64 << 10;

    private final CoreSession session;
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
    private long underWay;

    SocketSink(CoreSession session) {
        this.session = session;
    }

    @Override
    public void send(byte[] line) throws IOException, InterruptedException {
        Callback.Completable sent = new Callback.Completable();
        session.sendFrame(new Frame(OpCode.TEXT, ByteBuffer.wrap(line)), sent, false);
        last = sent;
        underWay += line.length;
        if (underWay >= WINDOW) {
            flush();
        }
    }

    @Override
    public void flush() throws IOException, InterruptedException {
        try {
            last.get();
            underWay = 0;
        } catch (ExecutionException e) {
            throw new IOException("a WebSocket's client is gone", e.getCause());
        }
    }
}
