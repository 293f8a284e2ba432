package io.tidemark.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reserves ports among the processes of one user: a port is one byte of a shared file, and its
 * process locks that byte. The operating system releases the locks of a process that ends.
 */
final class PortReservations {
    /** Stays open: POSIX drops all locks of a process when it closes any handle of the file. */
    private static final @Nullable FileChannel FILE = open();

    private static final Map<Integer, FileLock> HELD = new ConcurrentHashMap<>();

    private PortReservations() {}

    /**
     * Whether {@code port} is now this process's, until it ends or {@link #release releases} it.
     * True without a reservation if the shared file cannot be used: then only binding decides.
     */
    static boolean reserve(int port) {
        if (FILE == null) {
            return true;
        }
        try {
            FileLock lock = FILE.tryLock(port, 1, false);
            if (lock == null) {
                return false;
            }
            HELD.put(port, lock);
            return true;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Gives up a reservation. */
    static void release(int port) {
        try (FileLock _ = HELD.remove(port)) {
            // Closing it releases it.
        } catch (IOException e) {
            // The port stays reserved until this process ends.
        }
    }

    private static @Nullable FileChannel open() {
        Path file =
                Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "tidemark-ports-" + System.getProperty("user.name"));
        try {
            return FileChannel.open(
                    file,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }
}
