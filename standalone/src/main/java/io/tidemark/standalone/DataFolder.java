package io.tidemark.standalone;

import io.tidemark.local.FolderLock;
import io.tidemark.local.PrivateFolder;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The data folder, which one process at a time may use, and no other user may enter. */
final class DataFolder {
    private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);

    /** With less than this free, a disk counts as full. */
    private static final long FULL = 1 << 20;

    private DataFolder() {}

    /**
     * Makes the folder ours until the process ends.
     *
     * @throws StartException if another process uses it, or it belongs to another user
     * @throws IOException if it cannot be made or written to
     */
    static void take(Path folder, ProcessLifecycle running) throws IOException {
        running.start(ShutdownStages.LOCK, "data folder", () -> lock(folder));
    }

    private static FolderLock lock(Path folder) throws IOException {
        try {
            if (PrivateFolder.make(folder)) {
                LOG.warn(
                        "other users could enter --data {}; its permissions are rwx------ now",
                        folder);
            }
            return FolderLock.tryAcquire(folder)
                    .orElseThrow(() -> new StartException(inUse(folder)));
        } catch (FileSystemException e) {
            String why = e.getReason() == null ? e.toString() : e.getReason();
            throw new StartException(
                    "cannot use --data %s: %s; give a folder of this user's own, such as one below it"
                            .formatted(folder, why));
        } catch (IOException e) {
            throw new IOException("cannot use --data " + folder + ": " + e, e);
        }
    }

    /** Why a part died, with the full disk that may have been the cause. */
    static String explain(String reason, Path folder) {
        try {
            long free = Files.getFileStore(folder).getUsableSpace();
            return free >= FULL
                    ? reason
                    : "%s; the disk of --data %s is full (%d bytes free): free some and start again, nothing is lost"
                            .formatted(reason, folder, free);
        } catch (IOException _) {
            return reason;
        }
    }

    private static String inUse(Path folder) {
        String owner = FolderLock.owner(folder);
        String process = owner.isEmpty() ? "another process" : "process " + owner;
        return "--data "
                + folder
                + " is in use by "
                + process
                + "; end that one or give another folder";
    }
}
