package io.tidemark.client;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A response's body that closes after a time, which also ends a read that waits: a server whose
 * machine is gone never ends a connection.
 */
final class TimedBody extends FilterInputStream {
    private static final int PART = 64 << 10;

    private final Duration longest;
    private CompletableFuture<Void> timer;
    private volatile boolean over;

    TimedBody(InputStream body, Duration longest) {
        super(body);
        this.longest = longest;
        timer = start();
    }

    private CompletableFuture<Void> start() {
        CompletableFuture<Void> started = new CompletableFuture<>();
        CompletableFuture<Void> _ =
                started.completeOnTimeout(null, longest.toMillis(), TimeUnit.MILLISECONDS)
                        .thenRun(this::end);
        return started;
    }

    /** Reads the rest; the time begins again with each part of it: a large one may take long. */
    byte[] readRest() throws IOException {
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        byte[] part = new byte[PART];
        for (int n = read(part); n >= 0; n = read(part)) {
            rest.write(part, 0, n);
            timer.cancel(false);
            timer = start();
        }
        return rest.toByteArray();
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        try {
            return super.read(bytes, from, length);
        } catch (IOException e) {
            throw over ? new HttpTimeoutException("nothing has arrived in time") : e;
        }
    }

    private void end() {
        over = true;
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
