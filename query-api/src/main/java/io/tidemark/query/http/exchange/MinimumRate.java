package io.tidemark.query.http.exchange;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.eclipse.jetty.ee10.servlet.HttpOutput;

/**
 * Disconnects clients that read a response below a minimum rate, which frees the response's memory.
 * Only time in blocking writes counts: data in kernel buffers and slow reads from the stores do
 * not. Not used for watches.
 */
public final class MinimumRate implements AutoCloseable {
    private static final int CHECKS_PER_PERIOD = 10;

    /** Bytes per write; the precision of the rate. */
    static final int PIECE = 128 << 10;

    private final Threshold floor;
    private final Set<Answer> open = ConcurrentHashMap.newKeySet();
    private final LongAdder disconnected = new LongAdder();
    private final CountDownLatch closing = new CountDownLatch(1);

    /**
     * The minimum rate.
     *
     * @param bytesPerSecond on average
     * @param over measured over this much time of blocking writes
     */
    public record Threshold(long bytesPerSecond, Duration over) {
        public Threshold {
            if (bytesPerSecond < 1 || !over.isPositive()) {
                throw new IllegalArgumentException(
                        "the minimum rate must be positive: %d bytes a second over %s"
                                .formatted(bytesPerSecond, over));
            }
        }
    }

    /** Checks nothing before {@link #start}. */
    public MinimumRate(Threshold floor) {
        this.floor = floor;
    }

    /** Starts the thread that disconnects slow clients; once. */
    public void start() {
        Thread.ofVirtual().name("minimum-rate").start(this::run);
    }

    private void run() {
        long pause = floor.over().toNanos() / CHECKS_PER_PERIOD;
        try {
            while (!closing.await(pause, TimeUnit.NANOSECONDS)) {
                long now = System.nanoTime();
                open.forEach(answer -> answer.check(now));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Number of disconnected clients. */
    long disconnected() {
        return disconnected.sum();
    }

    /**
     * Wraps the stream of a response to a client.
     *
     * @param disconnect makes a blocking write fail
     */
    Answer paced(OutputStream out, Consumer<IOException> disconnect) {
        Answer answer = new Answer(out, disconnect);
        open.add(answer);
        return answer;
    }

    @Override
    public void close() {
        closing.countDown();
    }

    /**
     * A response being written. Times and bytes count since it was last fast enough. Closing it
     * ends the supervision and sends nothing.
     */
    final class Answer extends OutputStream {
        private final OutputStream out;
        private final Consumer<IOException> disconnect;
        private boolean writing;
        private long began;
        private long waitedNanos;
        private long bytes;

        private Answer(OutputStream out, Consumer<IOException> disconnect) {
            this.out = out;
            this.disconnect = disconnect;
        }

        @Override
        public void write(int single) throws IOException {
            write(new byte[] {(byte) single}, 0, 1);
        }

        @Override
        public void write(byte[] source, int from, int length) throws IOException {
            for (int at = from; at < from + length; at += PIECE) {
                int piece = Math.min(PIECE, from + length - at);
                begin();
                try {
                    send(source, at, piece);
                } finally {
                    end(piece);
                }
            }
        }

        /** Jetty would write an array in pieces of the size of its buffer, each a chunk. */
        private void send(byte[] source, int from, int length) throws IOException {
            if (out instanceof HttpOutput jetty) {
                jetty.write(ByteBuffer.wrap(source, from, length));
            } else {
                out.write(source, from, length);
            }
        }

        /** Completes the response. */
        void finish() throws IOException {
            begin();
            try {
                out.close();
            } finally {
                end(0);
            }
        }

        @Override
        public void close() {
            open.remove(this);
        }

        private synchronized void begin() {
            writing = true;
            began = System.nanoTime();
        }

        private synchronized void end(int written) {
            writing = false;
            waitedNanos += System.nanoTime() - began;
            bytes += written;
        }

        private void check(long now) {
            if (isTooSlow(now) && open.remove(this)) {
                disconnected.increment();
                disconnect.accept(
                        new IOException(
                                "the client reads less than %d bytes a second"
                                        .formatted(floor.bytesPerSecond())));
            }
        }

        private synchronized boolean isTooSlow(long now) {
            long waited = waitedNanos + (writing ? Math.max(0, now - began) : 0);
            if (waited < floor.over().toNanos()) {
                return false;
            }
            double least = (double) waited / TimeUnit.SECONDS.toNanos(1) * floor.bytesPerSecond();
            if (bytes < least) {
                return true;
            }
            waitedNanos = 0;
            began = now;
            bytes = 0;
            return false;
        }
    }
}
