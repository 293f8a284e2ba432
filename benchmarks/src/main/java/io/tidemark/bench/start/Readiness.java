package io.tidemark.bench.start;

import io.tidemark.bench.http.Connection;
import io.tidemark.bench.http.Connections;
import io.tidemark.bench.http.Request;
import io.tidemark.bench.http.ResponseReader;
import io.tidemark.bench.http.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Sends {@code GET /readyz} every 20 ms until the answer is 200. One connection serves as long as
 * the server answers on it, so that a server with TLS is not kept busy with handshakes.
 */
final class Readiness implements AutoCloseable {
    private static final Request READYZ = Request.of("/readyz");
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final int BYTES = 4 << 10;

    private final Target target;
    private final CompletableFuture<Long> ready = new CompletableFuture<>();
    private volatile String last = "it did not answer";
    private volatile boolean closed;

    private Readiness(Target target) {
        this.target = target;
    }

    /** Begins to send. A request without an answer ends with the server's process. */
    static Readiness begin(Target target) {
        Readiness readiness = new Readiness(target);
        Thread.startVirtualThread(readiness::run);
        return readiness;
    }

    /** When the server was ready, of {@link System#nanoTime}. */
    CompletableFuture<Long> ready() {
        return ready;
    }

    /** The last answer other than 200, in one line. */
    String lastAnswer() {
        return last;
    }

    private void run() {
        while (!closed && !ready.isDone()) {
            try (Connections connections = new Connections(target);
                    Connection connection = connections.open(BYTES)) {
                ask(connection);
            } catch (IOException _) {
                // It does not listen yet, or it has closed the connection.
            }
            pause();
        }
    }

    private void ask(Connection connection) throws IOException {
        while (!closed) {
            ResponseReader.Head head = connection.send(READYZ);
            long now = System.nanoTime();
            ResponseReader.Prefix text = new ResponseReader.Prefix(BYTES);
            connection.readBody(text);
            if (head.isOk()) {
                ready.complete(now);
                return;
            }
            last = head.status() + " " + text.text().replaceAll("\\s+", " ").strip();
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
