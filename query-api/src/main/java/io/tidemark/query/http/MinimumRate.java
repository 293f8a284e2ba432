package io.tidemark.query.http;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Disconnects clients that take an answer more slowly than they may: what it holds in memory is
 * then free again. Only the time counts for which writing waits for the client, so that what the
 * kernel buffers is free, and so is an answer that takes long to read from the stores. Watches are
 * not written through this.
 */
public final class MinimumRate implements AutoCloseable {
    private static final int LOOKS_PER_TIME = 10;

    /** Written at once: so the rate is known to within one of them. */
    private static final int PIECE = 64 << 10;

    private final Threshold floor;
    private final Set<Answer> open = ConcurrentHashMap.newKeySet();
    private final LongAdder disconnected = new LongAdder();
    private final CountDownLatch closing = new CountDownLatch(1);

    /**
     * The slowest that a client may be.
     *
     * @param bytesPerSecond on average
     * @param over so much time of waiting for the client
     */
    public record Threshold(long bytesPerSecond, Duration over) {
        public Threshold {
            if (bytesPerSecond < 1 || !over.isPositive()) {
                throw new IllegalArgumentException(
                        "%d bytes a second over %s".formatted(bytesPerSecond, over));
            }
        }
    }

    public MinimumRate(Threshold floor) {
        this.floor = floor;
    }

    public void start() {
        Thread.ofVirtual().name("minimum-rate").start(this::run);
    }

    private void run() {
        long pause = floor.over().toNanos() / LOOKS_PER_TIME;
        try {
            while (!closing.await(pause, TimeUnit.NANOSECONDS)) {
                long now = System.nanoTime();
                open.forEach(answer -> answer.look(now));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** How many clients were disconnected. */
    long disconnected() {
        return disconnected.sum();
    }

    /**
     * Writes an answer to a client.
     *
     * @param disconnect has a write that waits for the client fail
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
     * An answer on its way. Times and bytes are those since it was last known to be fast enough.
     * Closing it ends the supervision, and sends nothing.
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
                    out.write(source, at, piece);
                } finally {
                    end(piece);
                }
            }
        }

        /** Nothing more comes: sends what is left. */
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

        private void look(long now) {
            if (isTooSlow(now) && open.remove(this)) {
                disconnected.increment();
                disconnect.accept(
                        new IOException(
                                "the client takes less than %d bytes a second"
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
