package io.tidemark.nodeauth;

import io.tidemark.address.HttpAddress;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A client's sessions, at most one per server, of the {@link #MAX} servers called last. Concurrent
 * callers of one server share its handshake.
 */
final class ClientSessions {
    static final int MAX = 256;

    private final PeerSecrets secrets;
    private final Handshaker handshaker;

    /** Guarded by itself; least recently used first. */
    private final Map<HttpAddress, CompletableFuture<ClientSession>> sessions =
            new LinkedHashMap<>(16, 0.75f, true);

    /** Opens a session. */
    @FunctionalInterface
    interface Handshaker {
        ClientSession begin(HttpAddress to, long deadlineNanos)
                throws IOException, InterruptedException;
    }

    ClientSessions(PeerSecrets secrets, Handshaker handshaker) {
        this.secrets = secrets;
        this.handshaker = handshaker;
    }

    /**
     * The server's session, existing or new.
     *
     * @throws IOException when it cannot be opened in time
     */
    ClientSession get(HttpAddress to, long deadlineNanos) throws IOException, InterruptedException {
        CompletableFuture<ClientSession> mine = new CompletableFuture<>();
        CompletableFuture<ClientSession> found;
        synchronized (sessions) {
            found = sessions.get(to);
            if (found == null || !isUsable(found)) {
                found = mine;
                sessions.put(to, mine);
                if (sessions.size() > MAX) {
                    sessions.remove(sessions.keySet().iterator().next());
                }
            }
        }
        if (found == mine) {
            begin(to, deadlineNanos, mine);
        }
        try {
            return found.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no handshake in time", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(String.valueOf(cause.getMessage()), cause);
        }
    }

    private void begin(HttpAddress to, long deadlineNanos, CompletableFuture<ClientSession> session)
            throws InterruptedException {
        try {
            session.complete(handshaker.begin(to, deadlineNanos));
        } catch (IOException | RuntimeException e) {
            session.completeExceptionally(e);
        } finally {
            // Callers that wait for it must not wait longer than this thread.
            session.completeExceptionally(new IOException("the handshake was interrupted"));
        }
    }

    private boolean isUsable(CompletableFuture<ClientSession> session) {
        return switch (session.state()) {
            case RUNNING -> true;
            case SUCCESS -> session.resultNow().usesSecretsIn(secrets.current());
            case FAILED, CANCELLED -> false;
        };
    }

    /** Drops a session that the server no longer knows, or whose answer has an invalid proof. */
    void forget(HttpAddress to, ClientSession session) {
        synchronized (sessions) {
            @Nullable CompletableFuture<ClientSession> found = sessions.get(to);
            if (found != null
                    && found.state() == CompletableFuture.State.SUCCESS
                    && found.resultNow() == session) {
                sessions.remove(to);
            }
        }
    }
}
