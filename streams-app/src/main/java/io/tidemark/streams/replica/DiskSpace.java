package io.tidemark.streams.replica;

import io.tidemark.view.DiskState;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the disk that the stores lie on: free space, and which stores wait for more. It has its
 * own thread because a file system may answer slowly.
 */
public final class DiskSpace implements AutoCloseable {
    /** Stands for Kafka Streams or the node's start, in place of a partition. */
    public static final int NODE = -1;

    private static final Logger LOG = LoggerFactory.getLogger(DiskSpace.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
    private static final Duration REMIND_EVERY = Duration.ofMinutes(1);

    /** Writes resume with 1 % of the disk free, at most this: less would fill up at once. */
    private static final long MAX_RESUME_BYTES = 64L << 20;

    private final Path folder;
    private final Supplier<Space> source;
    private final StateFolders folders;

    /** By partition: why it waits. */
    private final ConcurrentSkipListMap<Integer, String> waiting = new ConcurrentSkipListMap<>();

    /** Of partitions that {@link #storedBytes(int)} was called for. */
    private final Map<Integer, Long> storedBytes = new ConcurrentHashMap<>();

    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().name("tidemark-disk").daemon().unstarted(this::watch);
    private volatile Space space = Space.UNKNOWN;

    // Guarded by this.
    private long fullSinceNanos;
    private long remindedNanos;
    private boolean reportedFull;
    private boolean reportedLow;

    /** In bytes, as the file system reports it; -1 when unknown. */
    record Space(long free, long total) {
        static final Space UNKNOWN = new Space(-1, -1);

        /** Whether it is worth trying to write again. */
        boolean isEnoughToResume() {
            return free < 0 || free >= Math.min(MAX_RESUME_BYTES, total / 100);
        }
    }

    /** Measures nothing before {@link #start}. */
    public DiskSpace(StateFolders folders) {
        this(folders, () -> measure(folders.directory()));
    }

    DiskSpace(StateFolders folders, Supplier<Space> source) {
        this.folders = folders;
        this.folder = folders.directory();
        this.source = source;
    }

    /** Starts the thread that measures; once. */
    public void start() {
        thread.start();
    }

    private static Space measure(Path folder) {
        Path there = folder.toAbsolutePath();
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        try {
            FileStore store = Files.getFileStore(there);
            return new Space(store.getUsableSpace(), store.getTotalSpace());
        } catch (IOException _) {
            return Space.UNKNOWN;
        }
    }

    private void watch() {
        try {
            do {
                look(System.nanoTime());
                storedBytes.replaceAll((partition, _) -> folders.bytes(partition));
            } while (!closing.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            LOG.debug("closing");
        }
    }

    /** Measures the disk once, and logs a change. */
    void look(long nowNanos) {
        space = source.get();
        report(nowNanos);
    }

    /** Whether writes may succeed again; measures the disk. */
    public boolean hasSpaceToResume() {
        space = source.get();
        return space.isEnoughToResume();
    }

    /** Records that a replica cannot write until there is space. */
    public void suspend(int partition, String why) {
        space = source.get();
        waiting.put(partition, why);
        report(System.nanoTime());
    }

    /** The replica writes again, or has left this node. */
    public void resume(int partition) {
        if (waiting.remove(partition) != null) {
            report(System.nanoTime());
        }
    }

    boolean isWaiting(int partition) {
        return waiting.containsKey(partition);
    }

    /** As of the last measurement; cheap. */
    public DiskState state() {
        Map.@Nullable Entry<Integer, String> first = waiting.firstEntry();
        List<Integer> stalled = waiting.keySet().stream().filter(p -> p != NODE).toList();
        Space now = space;
        return new DiskState(
                folder.toString(),
                now.free(),
                now.total(),
                stalled,
                first == null ? "" : first.getValue());
    }

    /** Approximate bytes on disk as of the last measurement; 0 until then. */
    public long storedBytes(int partition) {
        return storedBytes.computeIfAbsent(partition, _ -> 0L);
    }

    /** Logs when the disk becomes full, reminds now and then, and logs when it has space again. */
    private synchronized void report(long nowNanos) {
        DiskState state = state();
        if (state.isFull()) {
            if (!reportedFull) {
                reportedFull = true;
                fullSinceNanos = nowNanos;
                remindedNanos = nowNanos;
                LOG.error(
                        "{}; free some space, the node then resumes without a restart: {}",
                        state.text(),
                        state.full());
            } else if (nowNanos - remindedNanos >= REMIND_EVERY.toNanos()) {
                remindedNanos = nowNanos;
                LOG.warn(
                        "disk full for {} s: {}", seconds(nowNanos - fullSinceNanos), state.text());
            }
        } else if (reportedFull) {
            reportedFull = false;
            LOG.info(
                    "the disk has space again after {} s: {}",
                    seconds(nowNanos - fullSinceNanos),
                    state.text());
        } else if (state.isLow() != reportedLow) {
            reportedLow = state.isLow();
            if (reportedLow) {
                LOG.warn("the disk is nearly full: {}", state.text());
            }
        }
    }

    private static long seconds(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(nanos);
    }

    @Override
    public void close() {
        closing.countDown();
    }
}
