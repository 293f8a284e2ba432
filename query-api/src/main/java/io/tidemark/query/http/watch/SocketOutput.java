package io.tidemark.query.http.watch;

import io.tidemark.query.watch.LiveOutput;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;
import org.jspecify.annotations.Nullable;

/**
 * Sends each line of a live watch as a WebSocket text frame. Frames are sent in order, so the end
 * of the last one is the end of all.
 */
record SocketOutput(CoreSession session, PendingWrite pending) implements LiveOutput {
    @Override
    public boolean write(List<byte[]> lines, Consumer<@Nullable Throwable> written) {
        pending.begin();
        Consumer<@Nullable Throwable> ended =
                failure -> {
                    pending.end();
                    written.accept(failure);
                };
        Callback last =
                Callback.from(InvocationType.NON_BLOCKING, () -> ended.accept(null), ended::accept);
        for (int i = 0; i < lines.size(); i++) {
            boolean isLast = i == lines.size() - 1;
            Frame frame = new Frame(OpCode.TEXT, ByteBuffer.wrap(lines.get(i)));
            session.sendFrame(frame, isLast ? last : Callback.NOOP, !isLast);
        }
        return false;
    }
}
