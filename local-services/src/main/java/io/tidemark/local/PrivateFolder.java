package io.tidemark.local;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/**
 * A folder that only its owner can enter (mode 0700), so that whatever the modes of the files below
 * it are, they are private: etcd, Kafka and RocksDB make theirs with the umask. Where the file
 * system knows no such permissions, nothing is done.
 */
public final class PrivateFolder {
    private static final Set<PosixFilePermission> OWNER_ALONE =
            PosixFilePermissions.fromString("rwx------");

    private PrivateFolder() {}

    /**
     * Makes the folder, and those above it that are missing; takes the permissions of others away
     * if it exists. A symlink is followed.
     *
     * @return whether others could enter it until now
     * @throws IOException if it cannot be made or written to, or belongs to another user, who could
     *     read and replace what is in it
     */
    public static boolean make(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            Files.createDirectories(folder, attributesFor(folder));
        }
        Path real = folder.toRealPath();
        if (!isPosix(real)) {
            return false;
        }
        requireOwn(real);
        Set<PosixFilePermission> before = Files.getPosixFilePermissions(real);
        if (OWNER_ALONE.equals(before)) {
            return false;
        }
        Files.setPosixFilePermissions(real, OWNER_ALONE);
        return !OWNER_ALONE.containsAll(before);
    }

    private static FileAttribute<?>[] attributesFor(Path folder) {
        return isPosix(folder)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ALONE)}
                : new FileAttribute<?>[0];
    }

    /** Who we are, only a file of ours says for sure: a container may have no name for its user. */
    private static void requireOwn(Path folder) throws IOException {
        UserPrincipal owner = Files.getOwner(folder);
        Path probe = Files.createTempFile(folder, ".tidemark", null);
        UserPrincipal self;
        try {
            self = Files.getOwner(probe);
        } finally {
            Files.deleteIfExists(probe);
        }
        if (!owner.equals(self)) {
            throw new FileSystemException(
                    folder.toString(),
                    null,
                    "it belongs to %s, who could read and replace what is in it; this process is %s"
                            .formatted(owner.getName(), self.getName()));
        }
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
