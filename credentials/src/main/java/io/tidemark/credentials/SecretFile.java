package io.tidemark.credentials;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * Reads files that hold secrets. A file that others can read or change is rejected, so that the
 * mistake shows at the start and not after a theft. A file owned by root may be readable by this
 * process's group, unless the process itself runs as root: that is how Kubernetes mounts Secrets. A
 * token of a ServiceAccount belongs to the Pod's user, and the Pod's group may read it: that is
 * accepted for files of Kubernetes volumes alone.
 */
public final class SecretFile {
    /** Larger than any one secret. */
    private static final int MAX_BYTES = 64 << 10;

    private static final Set<PosixFilePermission> OF_OTHERS =
            EnumSet.of(
                    PosixFilePermission.GROUP_READ,
                    PosixFilePermission.GROUP_WRITE,
                    PosixFilePermission.OTHERS_READ,
                    PosixFilePermission.OTHERS_WRITE);

    private SecretFile() {}

    /**
     * Reads the file's text.
     *
     * @throws IOException when it cannot be read, is above 64 KiB, or others can read it; the
     *     message is a sentence that names the file
     */
    public static String read(Path file) throws IOException {
        return new String(readBytes(file, MAX_BYTES), StandardCharsets.UTF_8);
    }

    /**
     * Reads a file of many secrets.
     *
     * @throws IOException when it cannot be read, is above {@code maxBytes}, or others can read it;
     *     the message is a sentence that names the file
     */
    public static byte[] readBytes(Path file, int maxBytes) throws IOException {
        requirePrivate(file);
        try (InputStream in = open(file)) {
            byte[] bytes = in.readNBytes(maxBytes + 1);
            if (bytes.length > maxBytes) {
                throw new IOException("the file %s is above %d bytes".formatted(file, maxBytes));
            }
            return bytes;
        }
    }

    private static InputStream open(Path file) throws IOException {
        try {
            return Files.newInputStream(file);
        } catch (AccessDeniedException e) {
            throw unreadable(file, e);
        }
    }

    private static IOException unreadable(Path file, AccessDeniedException why) {
        return new IOException("this user has no permission to read the file " + file, why);
    }

    /**
     * Returns when only the owner can read and change the file, or the file system has no
     * permissions.
     *
     * @throws IOException when others can, or it does not exist; the message is a sentence that
     *     names the file
     */
    public static void requirePrivate(Path file) throws IOException {
        Set<PosixFilePermission> granted;
        try {
            granted = EnumSet.noneOf(PosixFilePermission.class);
            granted.addAll(Files.getPosixFilePermissions(file));
        } catch (UnsupportedOperationException _) {
            return;
        } catch (NoSuchFileException e) {
            throw new IOException("no such file: " + file, e);
        } catch (AccessDeniedException e) {
            throw unreadable(file, e);
        }
        granted.retainAll(OF_OTHERS);
        if ((belongsToRoot(file) && !isRoot()) || isInKubernetesVolume(file)) {
            granted.remove(PosixFilePermission.GROUP_READ);
        }
        if (!granted.isEmpty()) {
            throw new IOException(
                    "the file %s holds a secret and can be read or changed by others; run: chmod"
                                    .formatted(file)
                            + " 600 "
                            + file);
        }
    }

    /**
     * The kubelet replaces all files of a volume at once, by a link that all of them go through.
     */
    private static boolean isInKubernetesVolume(Path file) throws IOException {
        return Files.isSymbolicLink(file) && Files.readSymbolicLink(file).startsWith("..data");
    }

    private static boolean belongsToRoot(Path file) throws IOException {
        String owner = Files.getOwner(file).getName();
        return owner.equals("root") || owner.equals("0");
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }
}
