package io.tidemark.golden;

import io.tidemark.golden.RecordedWatches.Watch;
import io.tidemark.golden.comparison.EventComparison;
import io.tidemark.golden.recording.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A recorded watch, opened again and read by a separate thread until the server ends it. */
final class OpenWatch implements AutoCloseable {
    private static final Duration SILENCE = Duration.ofMinutes(5);

    private final Watch watch;
    private final Thread reader;
    private final ReentrantLock lock = new ReentrantLock();

    /** All guarded by the lock. */
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    private @Nullable GoldenExchange http;
    private String failure = "";
    private boolean ended;
    private boolean closed;

    private OpenWatch(InetSocketAddress server, Watch watch) {
        this.watch = watch;
        reader = Thread.ofVirtual().unstarted(() -> read(server));
    }

    static OpenWatch open(InetSocketAddress server, Watch watch) {
        OpenWatch open = new OpenWatch(server, watch);
        open.reader.start();
        return open;
    }

    Watch watch() {
        return watch;
    }

    private void read(InetSocketAddress server) {
        try {
            GoldenExchange opened = GoldenExchange.open(server, watch.sent(), SILENCE);
            locked(() -> http = opened);
            InputStream in = opened.body();
            byte[] buffer = new byte[64 * 1024];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                int length = count;
                locked(() -> body.write(buffer, 0, length));
            }
        } catch (IOException | RuntimeException e) {
            locked(() -> failure = closed ? "" : e.toString());
        } finally {
            locked(() -> ended = true);
        }
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }

    boolean hasEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** Whether it has received as much as the recording had. */
    boolean hasShown(RecordedWatches.WatchProgress shown) {
        lock.lock();
        try {
            return ended
                    || (!shown.end()
                            && (!shown.headers() || http != null)
                            && countedLines() >= shown.events());
        } finally {
            lock.unlock();
        }
    }

    /** The events that it has received so far. */
    RecordedWatches.WatchProgress progress() {
        lock.lock();
        try {
            return new RecordedWatches.WatchProgress(false, countedLines(), false);
        } finally {
            lock.unlock();
        }
    }

    private long countedLines() {
        return EventComparison.withoutBookmarks(EventComparison.parsed(wholeEvents())).size();
    }

    /** Of frames a part is no event; of lines the last one may be a part. */
    private byte[] wholeEvents() {
        byte[] bytes = body.toByteArray();
        if (bytes.length > 0 && bytes[0] == 0) {
            return bytes;
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.substring(0, text.lastIndexOf('\n') + 1).getBytes(StandardCharsets.UTF_8);
    }

    /** The whole answer; empty when there was none, or it was aborted. */
    Optional<Answer> answer() {
        lock.lock();
        try {
            GoldenExchange opened = http;
            return opened == null || !failure.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            new Answer(opened.status(), opened.headers(), body.toByteArray()));
        } finally {
            lock.unlock();
        }
    }

    String failure() {
        lock.lock();
        try {
            return failure.isEmpty() ? "no answer" : failure;
        } finally {
            lock.unlock();
        }
    }

    /** Ends it from this side, which is no failure. */
    @Override
    public void close() throws IOException {
        GoldenExchange opened;
        lock.lock();
        try {
            closed = true;
            opened = http;
        } finally {
            lock.unlock();
        }
        if (opened != null) {
            opened.close();
        }
    }

    void join() throws InterruptedException {
        reader.join();
    }
}
