package io.tidemark.standalone.process;

import io.tidemark.local.FolderLock;
import io.tidemark.local.PrivateFolder;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The data folder: locked by one process at a time, and private to its user. */
public final class DataFolder {
    private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);

    /** For a folder that cannot be made private. */
    public static final String ADVICE = "give a folder owned by this user, such as one below it";

    /** A disk with fewer free bytes counts as full. */
    private static final long FULL = 1 << 20;

    private DataFolder() {}

    /**
     * Locks the folder until the process ends.
     *
     * @throws StartException if another process uses it, or it belongs to another user
     * @throws IOException if it cannot be made or written to
     */
    public static void take(Path folder, ProcessLifecycle running) throws IOException {
        running.start(ShutdownStages.LOCK, "data folder", () -> lock(folder));
    }

    private static FolderLock lock(Path folder) throws IOException {
        try {
            if (PrivateFolder.make(folder)) {
                LOG.warn(
                        "--data {} was accessible to other users; set its permissions to rwx------",
                        folder);
            }
            return FolderLock.tryAcquire(folder)
                    .orElseThrow(() -> new StartException(inUse(folder)));
        } catch (FileSystemException e) {
            throw new StartException(refusal(folder, e) + "; " + ADVICE);
        } catch (IOException e) {
            throw new IOException("cannot use --data " + folder + ": " + e, e);
        }
    }

    /** Says why the folder cannot be used. */
    public static String refusal(Path folder, FileSystemException why) {
        return "cannot use --data %s: %s"
                .formatted(folder, why.getReason() == null ? why.toString() : why.getReason());
    }

    /** Adds to the reason of a failure that the disk is full, if it is. */
    public static String explain(String reason, Path folder) {
        try {
            long free = Files.getFileStore(folder).getUsableSpace();
            return free >= FULL
                    ? reason
                    : "%s; the disk of --data %s is full (%d bytes free): free some space and restart, no data is lost"
                            .formatted(reason, folder, free);
        } catch (IOException _) {
            return reason;
        }
    }

    private static String inUse(Path folder) {
        String owner = FolderLock.owner(folder);
        String process = owner.isEmpty() ? "another process" : "process " + owner;
        return "--data " + folder + " is in use by " + process + "; stop it or give another folder";
    }
}
