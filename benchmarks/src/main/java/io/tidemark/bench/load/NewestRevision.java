package io.tidemark.bench.load;

import io.tidemark.bench.http.Connection;
import io.tidemark.bench.http.Connections;
import io.tidemark.bench.http.Request;
import io.tidemark.bench.http.ResponseReader;
import io.tidemark.bench.http.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads at which revision a server is. */
public final class NewestRevision {
    private static final Request ONE_POD = Request.of("/api/v1/pods?limit=1");
    private static final Pattern REVISION = Pattern.compile("\"resourceVersion\":\"(\\d+)\"");
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int BYTES = 64 << 10;

    /** How often a busy server may be too late with its newest state. */
    private static final int MAX_RETRIES = 10;

    private NewestRevision() {}

    /**
     * The revision of a list made now. A server that is behind etcd gets ten more chances, of the
     * three seconds each for which a Tidemark waits.
     *
     * @throws IOException when it cannot be reached, does not list pods, or is still behind
     */
    public static long of(Target target) throws IOException {
        try (Connections connections = new Connections(target);
                Connection connection = connections.open(BYTES)) {
            return read(target, connection);
        }
    }

    /**
     * Waits until lists are at a revision or later.
     *
     * @throws IOException when they are not within two minutes
     */
    static void await(Target target, long revision) throws IOException, InterruptedException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        try (Connections connections = new Connections(target);
                Connection connection = connections.open(BYTES)) {
            while (read(target, connection) < revision) {
                if (System.nanoTime() - end > 0) {
                    throw new IOException(
                            "%s has not reached revision %d within %s"
                                    .formatted(target.name(), revision, TIMEOUT));
                }
                Thread.sleep(50);
            }
        }
    }

    private static long read(Target target, Connection connection) throws IOException {
        for (int retries = MAX_RETRIES; ; retries--) {
            ResponseReader.Head head = connection.send(ONE_POD);
            ResponseReader.Prefix start = new ResponseReader.Prefix(BYTES);
            connection.readBody(start);
            Matcher revision = REVISION.matcher(start.text());
            if (head.isOk() && revision.find()) {
                return Long.parseLong(revision.group(1));
            }
            if (head.status() != 504 || retries == 0) {
                throw new IOException(
                        "%s does not list pods: %.300s".formatted(target.name(), start.text()));
            }
        }
    }
}
