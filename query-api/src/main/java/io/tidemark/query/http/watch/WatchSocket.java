package io.tidemark.query.http.watch;

import io.tidemark.serving.read.ClientDisconnectedException;
import io.tidemark.serving.watch.WatchHub.Admission;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.OpCode;
import org.eclipse.jetty.websocket.core.exception.WebSocketTimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch over a WebSocket. Like the API server it drops what the client sends, frame by frame. It
 * pings an idle client and disconnects it if no answer comes. A client that sends is never idle: if
 * it reads nothing meanwhile, one of its next frames disconnects it.
 */
final class WatchSocket implements FrameHandler {
    /** Creates the watch of an open connection. */
    interface Serving {
        WatchSession watch(CoreSession connection, PendingWrite pending);
    }

    private static final Logger LOG = LoggerFactory.getLogger(WatchSocket.class);
    private static final Duration CLOSING = Duration.ofSeconds(1);

    private final Serving serving;
    private final Admission admission;
    private final Duration stalledClient;
    private final PendingWrite pending = new PendingWrite();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private volatile boolean pinged;
    private volatile @Nullable CoreSession session;
    private volatile @Nullable WatchSession watch;

    /**
     * @param admission closed at the end
     * @param stalledClient how long a client may read nothing
     */
    WatchSocket(Serving serving, Admission admission, Duration stalledClient) {
        this.serving = serving;
        this.admission = admission;
        this.stalledClient = stalledClient;
    }

    /** Called when the upgrade fails. */
    void abandon() {
        if (begun.compareAndSet(false, true)) {
            end.complete(null);
            admission.close();
        }
    }

    /** Completes at the end of the watch; with an exception if the server failed. */
    CompletableFuture<Void> end() {
        return end;
    }

    @Override
    public void onOpen(CoreSession opened, Callback callback) {
        session = opened;
        opened.addIdleTimeoutListener(this::disconnects);
        if (begun.compareAndSet(false, true)) {
            WatchSession begun = serving.watch(opened, pending);
            watch = begun;
            Thread _ = Thread.ofVirtual().name("watch-socket").start(() -> run(begun, opened));
        }
        callback.succeeded();
        opened.demand();
    }

    @Override
    public void onFrame(Frame frame, Callback callback) {
        pinged = false;
        CoreSession open = session;
        if (open != null && pending.hasLasted(stalledClient)) {
            callback.succeeded();
            open.abort();
            stop();
        } else if (frame.getOpCode() == OpCode.PING && open != null) {
            Frame pong = new Frame(OpCode.PONG, BufferUtil.copy(frame.getPayload()));
            callback.succeeded();
            // The next frame is read after the pong was sent, so that pongs do not pile up.
            open.sendFrame(pong, Callback.from(open::demand, this::disconnected), false);
        } else {
            callback.succeeded();
            if (frame.getOpCode() != OpCode.CLOSE && open != null) {
                open.demand();
            }
        }
    }

    @Override
    public void onError(Throwable cause, Callback callback) {
        LOG.debug("WebSocket failed", cause);
        stop();
        callback.succeeded();
    }

    @Override
    public void onClosed(CloseStatus status, Callback callback) {
        stop();
        callback.succeeded();
    }

    private void disconnected(Throwable cause) {
        LOG.debug("sending a ping or pong failed", cause);
        stop();
    }

    private void stop() {
        WatchSession running = watch;
        if (running != null) {
            running.disconnect();
        }
    }

    /** Whether to disconnect after an idle timeout: pings the client the first time. */
    private boolean disconnects(WebSocketTimeoutException timeout) {
        CoreSession open = session;
        if (pinged || open == null || !open.isOutputOpen()) {
            return true;
        }
        pinged = true;
        open.sendFrame(new Frame(OpCode.PING), Callback.from(() -> {}, this::disconnected), false);
        return false;
    }

    private void run(WatchSession begun, CoreSession open) {
        CompletableFuture<Void> _ =
                begun.start()
                        .whenComplete((_, failure) -> {
                            try {
                                close(open, status(failure));
                            } finally {
                                begun.close();
                                end(failure);
                                // Last: a stopping node waits for it before it ends the audit.
                                admission.close();
                            }
                        });
    }

    private void end(@Nullable Throwable failure) {
        if (failure != null && isFailureOfServer(failure)) {
            end.completeExceptionally(failure);
        } else {
            end.complete(null);
        }
    }

    private static boolean isFailureOfServer(Throwable failure) {
        return failure instanceof RuntimeException
                && !(failure instanceof ClientDisconnectedException);
    }

    private static CloseStatus status(@Nullable Throwable failure) {
        if (failure != null && isFailureOfServer(failure)) {
            String id = UUID.randomUUID().toString();
            LOG.error("watch over a WebSocket failed, id {}", id, failure);
            return new CloseStatus(CloseStatus.SERVER_ERROR, "see the server's log for id " + id);
        }
        if (failure != null) {
            LOG.debug("client disconnected", failure);
        }
        return CloseStatus.NORMAL_STATUS;
    }

    /** Sends the close frame and waits for it, since a stopping server waits for its watches. */
    private static void close(CoreSession open, CloseStatus end) {
        Callback.Completable sent = new Callback.Completable();
        open.close(end, sent);
        try {
            sent.get(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            LOG.debug("close frame not sent", e);
        }
    }
}
