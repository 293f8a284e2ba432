package io.tidemark.query.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of lines, written by one thread. When it cannot keep up, requests wait for it for a
 * second; then lines are dropped, counted and logged. A full file is renamed to {@code FILE.1}, the
 * one before it to {@code FILE.2}, and so on; the oldest is deleted. A line that a full disk or a
 * crash has cut short stays so, on a line by itself.
 */
public final class AuditLog implements AutoCloseable {
    /** Of one file. */
    public static final long DEFAULT_MAX_BYTES = 100L << 20;

    /** Besides the current file. */
    static final int KEPT_FILES = 9;

    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

    /** Of the lines that wait to be written: some ten thousand. */
    static final int QUEUED_BYTES = 16 << 20;

    /** What a queued line takes besides its bytes. */
    static final int LINE_OVERHEAD = 64;

    private static final int BATCH = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

    private static final byte[] LINE_FEED = {'\n'};

    /** Wakes the thread up; an interrupt would close the file. */
    private static final byte[] END = {};

    /** Why lines are lost while no write fails. */
    private static final String TOO_SLOW = "it is written too slowly";

    private static final long LOG_NANOS = Duration.ofSeconds(10).toNanos();

    private final Path file;
    private final long maxBytes;
    private final Duration patience;

    private final BlockingQueue<byte[]> queue = new LinkedBlockingQueue<>();

    /** Bytes left in the queue. Fair, so that no request waits while later ones are served. */
    private final Semaphore space = new Semaphore(QUEUED_BYTES, true);

    private final LongAdder dropped = new LongAdder();
    private final Thread thread;
    private volatile boolean closed;

    // Only used by the thread:
    private @Nullable FileChannel open;
    private long loggedNanos = System.nanoTime() - LOG_NANOS;

    private String cause = TOO_SLOW;

    /**
     * Makes the file if there is none; a new one can be read by its owner only.
     *
     * @param maxBytes of one file
     * @throws IOException when it cannot be opened
     */
    public AuditLog(Path file, long maxBytes) throws IOException {
        this(file, maxBytes, PATIENCE);
    }

    /**
     * @param patience longest wait of a request for space in the queue
     */
    AuditLog(Path file, long maxBytes, Duration patience) throws IOException {
        this.file = file;
        this.maxBytes = maxBytes;
        this.patience = patience;
        open(file).close(); // Fails now rather than at the first line.
        this.thread = Thread.ofPlatform().name("audit-log").daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Lines that were lost, since the start. */
    public long dropped() {
        return dropped.sum();
    }

    /**
     * Queues a line; waits at most a second, also on a thread that is interrupted: a client that
     * resets its stream interrupts the thread that serves it, and must not choose what is recorded.
     *
     * @param line with its line feed
     */
    public void write(byte[] line) {
        if (closed || !acquire(cost(line)) || !queue.offer(line)) {
            dropped.increment();
        }
    }

    private boolean acquire(int bytes) {
        boolean interrupted = Thread.interrupted();
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            while (true) {
                try {
                    long left = deadline - System.nanoTime();
                    return space.tryAcquire(bytes, left, TimeUnit.NANOSECONDS);
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static int cost(byte[] line) {
        return Math.min(line.length + LINE_OVERHEAD, QUEUED_BYTES);
    }

    /** Writes what is queued, for at most 5 s. */
    @Override
    public void close() {
        closed = true;
        queue.add(END);
        try {
            if (!thread.join(CLOSE_WAIT)) {
                LOG.warn("the audit log {} did not end in time; its last lines may be lost", file);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        boolean _ = queue.remove(END); // The thread may have ended without it.
        dropped.add(queue.size());
    }

    private void run() {
        List<byte[]> batch = new ArrayList<>(BATCH);
        long reported = 0;
        while (!closed || !queue.isEmpty()) {
            batch.clear();
            try {
                if (queue.isEmpty() && !closed) {
                    batch.add(queue.take());
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("no code interrupts this thread", e);
            }
            queue.drainTo(batch, BATCH);
            write(batch);
            batch.stream().filter(line -> line != END).forEach(line -> space.release(cost(line)));
            reported = report(reported);
        }
        closeFile();
    }

    private void write(List<byte[]> batch) {
        int written = 0;
        try {
            for (byte[] line : batch) {
                ByteBuffer bytes = ByteBuffer.wrap(line);
                FileChannel channel = current();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                written++;
            }
        } catch (IOException e) {
            dropped.add(batch.size() - written);
            cause = e.toString();
            closeFile();
        }
    }

    private FileChannel current() throws IOException {
        FileChannel channel = open;
        if (channel != null && channel.position() >= maxBytes) {
            closeFile();
            rename();
            channel = null;
        }
        if (channel == null) {
            channel = open(file);
            open = channel;
            if (endsWithinALine(channel)) {
                channel.write(ByteBuffer.wrap(LINE_FEED));
            }
        }
        return channel;
    }

    private void rename() throws IOException {
        for (int number = KEPT_FILES; number > 0; number--) {
            Path older = number == 1 ? file : numbered(number - 1);
            if (Files.exists(older)) {
                Files.move(older, numbered(number), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private Path numbered(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    private void closeFile() {
        FileChannel channel = open;
        open = null;
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("cannot close the audit log", e);
        }
    }

    private long report(long reported) {
        long now = dropped.sum();
        if (now > reported && System.nanoTime() - loggedNanos >= LOG_NANOS) {
            loggedNanos = System.nanoTime();
            LOG.error("{} lines of the audit log {} are lost: {}", now - reported, file, cause);
            cause = TOO_SLOW;
            return now;
        }
        return reported;
    }

    private static FileChannel open(Path file) throws IOException {
        FileAttribute<?>[] attributes =
                file.getFileSystem().supportedFileAttributeViews().contains("posix")
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        FileChannel channel =
                FileChannel.open(
                        file,
                        Set.of(
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE,
                                StandardOpenOption.APPEND),
                        attributes);
        channel.position(channel.size());
        return channel;
    }

    /** Whether a full disk or a crash cut the last line short; the next must not continue it. */
    private boolean endsWithinALine(FileChannel channel) throws IOException {
        if (channel.size() == 0) {
            return false;
        }
        ByteBuffer last = ByteBuffer.allocate(1);
        try (FileChannel read = FileChannel.open(file, StandardOpenOption.READ)) {
            return read.read(last, channel.size() - 1) == 1 && last.get(0) != '\n';
        }
    }
}
