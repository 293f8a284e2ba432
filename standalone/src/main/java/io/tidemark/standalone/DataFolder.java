package io.tidemark.standalone;

import io.tidemark.local.FolderLock;
import java.io.IOException;
import java.nio.file.Path;

/** The data folder, which one process at a time may use. */
final class DataFolder {
    private DataFolder() {}

    /**
     * Makes the folder ours until the process ends.
     *
     * @throws StartException if another process uses it
     * @throws IOException if it cannot be made or written to
     */
    static void take(Path folder, Running running) throws IOException {
        running.start(Stages.LOCK, "data folder", () -> lock(folder));
    }

    private static FolderLock lock(Path folder) throws IOException {
        try {
            return FolderLock.tryAcquire(folder)
                    .orElseThrow(() -> new StartException(inUse(folder)));
        } catch (IOException e) {
            throw new IOException("cannot use --data " + folder + ": " + e, e);
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
