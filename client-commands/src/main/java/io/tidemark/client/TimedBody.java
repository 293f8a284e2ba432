package io.tidemark.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A response's body that closes after a time, which also ends a read that waits: a server whose
 * machine is gone never ends a connection.
 */
final class TimedBody extends FilterInputStream {
    private final CompletableFuture<Void> timer = new CompletableFuture<>();

    TimedBody(InputStream body, Duration longest) {
        super(body);
        CompletableFuture<Void> _ =
                timer.completeOnTimeout(null, longest.toMillis(), TimeUnit.MILLISECONDS)
                        .thenRun(this::end);
    }

    private void end() {
        try {
            in.close();
        } catch (IOException _) {
            // The reader learns that the stream is closed.
        }
    }

    @Override
    public void close() throws IOException {
        timer.cancel(false);
        super.close();
    }
}
