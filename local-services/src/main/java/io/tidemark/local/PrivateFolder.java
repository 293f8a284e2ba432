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
 * A folder with mode 0700, so that the files below it are private although etcd, Kafka and RocksDB
 * create them with the umask. Does nothing on file systems without POSIX permissions.
 */
public final class PrivateFolder {
    private static final Set<PosixFilePermission> OWNER_ALONE =
            PosixFilePermissions.fromString("rwx------");

    private PrivateFolder() {}

    /**
     * Creates the folder and its missing parents, or removes other users' permissions from an
     * existing one. Follows symlinks.
     *
     * @return whether other users had permissions before
     * @throws IOException if it cannot be created or written to, or belongs to another user, who
     *     could read and replace its contents
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

    /**
     * Refuses an existing folder that {@link #make} refuses, and leaves its permissions. Determines
     * this user by a file that it creates for a moment, as a container may have no name for its
     * user.
     *
     * @throws IOException if it cannot be written to, or belongs to another user
     */
    public static void requireOwn(Path folder) throws IOException {
        Path real = folder.toRealPath();
        if (!isPosix(real)) {
            return;
        }
        UserPrincipal owner = Files.getOwner(real);
        Path probe = Files.createTempFile(real, ".tidemark", null);
        UserPrincipal self;
        try {
            self = Files.getOwner(probe);
        } finally {
            Files.deleteIfExists(probe);
        }
        if (!owner.equals(self)) {
            throw new FileSystemException(
                    real.toString(),
                    null,
                    "it belongs to %s, who could read and replace its contents; this process is %s"
                            .formatted(owner.getName(), self.getName()));
        }
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
