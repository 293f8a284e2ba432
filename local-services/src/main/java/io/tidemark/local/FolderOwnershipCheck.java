package io.tidemark.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import java.util.Set;

/**
 * Checks that only this user and root could have written a file, before it is executed.
 *
 * @param user the user of this process
 */
public record FolderOwnershipCheck(UserPrincipal user) {
    private static final Set<PosixFilePermission> OTHERS_WRITE =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    /** Mode bit of a folder in which only a file's owner may rename or delete it. */
    private static final int STICKY = 01000;

    private static final int ROOT = 0;

    /**
     * @throws IOException if the user of this process cannot be determined
     */
    public static FolderOwnershipCheck ofThisProcess() throws IOException {
        Path made = Files.createTempFile("tidemark-owner", "");
        try {
            return new FolderOwnershipCheck(Files.getOwner(made));
        } finally {
            Files.delete(made);
        }
    }

    /** Creates a folder and its missing parents with mode 0700. */
    public static void create(Path folder) throws IOException {
        Files.createDirectories(
                folder,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /**
     * Returns why another user than this one and root could have written {@code path} or could
     * replace it; empty if none could. Checks the path and all its parents, as given and with links
     * resolved. Skips what does not exist yet.
     */
    public Optional<String> ownershipProblem(Path path) throws IOException {
        Optional<String> written = weaknessOf(path.toAbsolutePath().normalize());
        return written.isPresent() || !Files.exists(path) ? written : weaknessOf(path.toRealPath());
    }

    private Optional<String> weaknessOf(Path path) throws IOException {
        for (Path each = path; each != null; each = each.getParent()) {
            if (!Files.exists(each)) {
                continue;
            }
            if (!Files.getOwner(each).equals(user)
                    && (int) Files.getAttribute(each, "unix:uid") != ROOT) {
                return Optional.of(each + " belongs to " + Files.getOwner(each).getName());
            }
            boolean sticky =
                    Files.isDirectory(each)
                            && ((int) Files.getAttribute(each, "unix:mode") & STICKY) != 0;
            boolean writable =
                    Files.getPosixFilePermissions(each).stream().anyMatch(OTHERS_WRITE::contains);
            if (writable && !sticky) {
                return Optional.of("others may write to %s (chmod go-w it)".formatted(each));
            }
        }
        return Optional.empty();
    }
}
