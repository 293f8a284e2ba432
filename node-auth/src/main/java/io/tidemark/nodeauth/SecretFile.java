package io.tidemark.nodeauth;

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
 * Files that hold secrets. One that others can read or change is refused, so that the mistake shows
 * at the start and not after the theft. A file that belongs to root may be read by the group of
 * this process, as long as that does not run as root itself: so Kubernetes mounts Secrets for it.
 */
public final class SecretFile {
    /** More than any secret. */
    private static final int MAX_BYTES = 64 << 10;

    private static final Set<PosixFilePermission> OF_OTHERS =
            EnumSet.of(
                    PosixFilePermission.GROUP_READ,
                    PosixFilePermission.GROUP_WRITE,
                    PosixFilePermission.OTHERS_READ,
                    PosixFilePermission.OTHERS_WRITE);

    private SecretFile() {}

    /**
     * The file's text.
     *
     * @throws IOException when it cannot be read, is above 64 KiB, or others can read it; the
     *     message is a sentence that names the file
     */
    public static String read(Path file) throws IOException {
        requirePrivate(file);
        try (InputStream in = open(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException("the file %s is too long for a secret".formatted(file));
            }
            return new String(bytes, StandardCharsets.UTF_8);
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
        return new IOException("this user may not read the file " + file, why);
    }

    /**
     * Passes when only its owner can read and change it, or the file system knows no permissions.
     *
     * @throws IOException when others can, or it is not there; the message is a sentence that names
     *     the file
     */
    public static void requirePrivate(Path file) throws IOException {
        Set<PosixFilePermission> granted;
        try {
            granted = EnumSet.noneOf(PosixFilePermission.class);
            granted.addAll(Files.getPosixFilePermissions(file));
        } catch (UnsupportedOperationException _) {
            return;
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + file, e);
        } catch (AccessDeniedException e) {
            throw unreadable(file, e);
        }
        granted.retainAll(OF_OTHERS);
        if (belongsToRoot(file) && !isRoot()) {
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

    private static boolean belongsToRoot(Path file) throws IOException {
        String owner = Files.getOwner(file).getName();
        return owner.equals("root") || owner.equals("0");
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }
}
