package io.tidemark.bench.load;

import io.tidemark.bench.http.BodySink;
import io.tidemark.bench.http.Connection;
import io.tidemark.bench.http.Connections;
import io.tidemark.bench.http.EventScanner;
import io.tidemark.bench.http.Request;
import io.tidemark.bench.http.ResponseReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/** One open watch, read by a virtual thread until it is closed. */
final class WatchStream implements EventScanner.Listener, AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int ERROR_BYTES = 1 << 10;

    private final Runnable onEvent;
    private final Failures failures;
    private final Connection connection;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Thread reader;

    /** Revisions and times of the events; written by the reader, to be read after the close. */
    private long[] revisions = new long[16];

    private long[] nanos = new long[16];
    private int events;
    private volatile long bytes;

    private WatchStream(
            Connection connection, Request request, Runnable onEvent, Failures failures) {
        this.connection = connection;
        this.onEvent = onEvent;
        this.failures = failures;
        this.reader = Thread.ofVirtual().unstarted(() -> read(request));
    }

    /**
     * Returns once the server has accepted the watch.
     *
     * @param onEvent called for each event that changes an object, bookmarks are none
     */
    static WatchStream open(
            Connections connections, Request request, Runnable onEvent, Failures failures)
            throws IOException {
        Connection connection = connections.open(BUFFER_BYTES);
        try {
            if (!connection.send(request).isOk()) {
                ResponseReader.Prefix message = new ResponseReader.Prefix(ERROR_BYTES);
                connection.readBody(message);
                throw new IOException("a watch was refused: " + message.text());
            }
        } catch (IOException e) {
            connection.close();
            throw e;
        }
        WatchStream stream = new WatchStream(connection, request, onEvent, failures);
        stream.reader.start();
        return stream;
    }

    private void read(Request request) {
        try {
            BodySink scanner = request.events(this);
            long _ =
                    connection.readBody(part -> {
                        bytes += part.remaining();
                        scanner.accept(part);
                    });
            if (!closed.get()) {
                failures.add("a watch ended");
            }
        } catch (IOException e) {
            if (!closed.get()) {
                failures.add("a watch broke: " + e);
            }
        }
    }

    @Override
    public void onEvent(long revision) {
        if (events == revisions.length) {
            revisions = Arrays.copyOf(revisions, 2 * events);
            nanos = Arrays.copyOf(nanos, 2 * events);
        }
        revisions[events] = revision;
        nanos[events++] = System.nanoTime();
        onEvent.run();
    }

    @Override
    public void onBookmark() {}

    @Override
    public void onError(String text) {
        failures.add("a watch got an error: " + text);
    }

    long bytes() {
        return bytes;
    }

    /** Receives an event's revision and the time of its arrival. */
    @FunctionalInterface
    interface Arrivals {
        void accept(long revision, long nanos);
    }

    /** After {@link #awaitEnd}. */
    void eachArrival(Arrivals arrivals) {
        for (int i = 0; i < events; i++) {
            arrivals.accept(revisions[i], nanos[i]);
        }
    }

    /** Ends the watch; does not wait. */
    @Override
    public void close() {
        closed.set(true);
        connection.close();
    }

    void awaitEnd() throws InterruptedException {
        reader.join();
    }
}
