package io.tidemark.hostile;

import io.tidemark.http.testing.RawHttp;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Repeats a request as soon as it has its answer, on one connection after the other. */
final class RequestLoop implements Runnable {
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(100);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Attack attack;
    private final InetSocketAddress target;
    private final RawHttp.Options options;
    private final Tally tally;

    RequestLoop(Attack attack, InetSocketAddress source, InetSocketAddress target, Tally tally) {
        this.attack = attack;
        this.target = target;
        this.options =
                RawHttp.Options.DEFAULT.withFrom(source.getHostString()).withSilence(TIMEOUT);
        this.tally = tally;
    }

    @Override
    public void run() {
        String host = target.getHostString() + ":" + target.getPort();
        byte[] request =
                new String(attack.request(0, host), StandardCharsets.US_ASCII)
                        .replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
        while (!Thread.currentThread().isInterrupted()) {
            try {
                tally.count(attack, ask(request));
            } catch (IOException _) {
                tally.count(attack, "failed");
                LockSupport.parkNanos(PAUSE_AFTER_FAILURE.toNanos());
            }
        }
    }

    private String ask(byte[] request) throws IOException {
        try (RawHttp connection = new RawHttp(target, options)) {
            connection.send(request);
            InputStream in = connection.in();
            byte[] line = in.readNBytes("HTTP/1.1 200".length());
            long rest = in.transferTo(OutputStream.nullOutputStream());
            return line.length < 12 || rest == 0
                    ? "ended by the server"
                    : new String(line, 9, 3, StandardCharsets.US_ASCII);
        }
    }
}
