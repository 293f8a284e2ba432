package io.tidemark.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An exclusive lock of a folder by one process, through a file lock on its file {@code .lock}. The
 * system releases it when the process ends or crashes. The file holds the owner's process id, for
 * messages.
 */
public final class FolderLock implements AutoCloseable {
    /** Within a JVM, file locks throw instead of blocking. Held from acquire to close. */
    private static final ReentrantLock WITHIN_JVM = new ReentrantLock();

    private static final Logger LOG = LoggerFactory.getLogger(FolderLock.class);

    private final FileChannel channel;
    private final boolean holdsJvmLock;

    private FolderLock(FileChannel channel, boolean holdsJvmLock) {
        this.channel = channel;
        this.holdsJvmLock = holdsJvmLock;
    }

    /** Creates the folder if it is missing, and waits for its lock. */
    public static FolderLock acquire(Path folder) throws IOException {
        FileChannel channel = open(folder);
        WITHIN_JVM.lock();
        try {
            FileLock lock = channel.lock();
            return new FolderLock(lock.channel(), true);
        } catch (IOException | RuntimeException e) {
            WITHIN_JVM.unlock();
            channel.close();
            throw e;
        }
    }

    /**
     * Creates the folder if it is missing, and locks it if it is free.
     *
     * @return empty if another process, or another part of this one, holds the lock
     */
    public static Optional<FolderLock> tryAcquire(Path folder) throws IOException {
        FileChannel channel = open(folder);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Held by this JVM.
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        if (lock == null) {
            return Optional.empty();
        }
        try {
            channel.truncate(0);
            channel.write(
                    StandardCharsets.US_ASCII.encode(Long.toString(ProcessHandle.current().pid())));
        } catch (IOException e) {
            // The lock is held: with a full disk, only messages lack the process id.
            LOG.debug("cannot write the process id into {}", folder, e);
        }
        return Optional.of(new FolderLock(channel, false));
    }

    /**
     * Whether a process holds the lock. Checks by locking, so a concurrent {@link #tryAcquire} may
     * fail.
     */
    public static boolean isHeld(Path folder) throws IOException {
        try (FileChannel channel =
                FileChannel.open(folder.resolve(".lock"), StandardOpenOption.WRITE)) {
            FileLock lock = channel.tryLock();
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** The process id in the folder's lock file; empty if there is none. */
    public static String owner(Path folder) {
        try {
            return Files.readString(folder.resolve(".lock"), StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            return "";
        }
    }

    private static FileChannel open(Path folder) throws IOException {
        Files.createDirectories(folder);
        return FileChannel.open(
                folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            if (holdsJvmLock) {
                WITHIN_JVM.unlock();
            }
        }
    }

    public static void deleteRecursively(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> paths = Files.walk(root)) {
            deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }
}
