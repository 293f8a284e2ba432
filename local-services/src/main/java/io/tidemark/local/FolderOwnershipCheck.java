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
 * Tells whose a file is: what is run from a folder of ours must not have been put there by anybody
 * else.
 *
 * @param user who runs this process
 */
record FolderOwnershipCheck(UserPrincipal user) {
    private static final Set<PosixFilePermission> OTHERS_WRITE =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    /** Of a folder's mode: only its owner may rename or delete what lies in it. */
    private static final int STICKY = 01000;

    private static final int ROOT = 0;

    /**
     * @throws IOException if the system does not say who runs this process
     */
    static FolderOwnershipCheck ofThisProcess() throws IOException {
        Path made = Files.createTempFile("tidemark-owner", "");
        try {
            return new FolderOwnershipCheck(Files.getOwner(made));
        } finally {
            Files.delete(made);
        }
    }

    /** Makes a folder, and those above it, for this user alone. */
    static void create(Path folder) throws IOException {
        Files.createDirectories(
                folder,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /**
     * Why somebody else than this user and root could have put {@code path} there, or could replace
     * it: for each name on the way to it, as it is written and as its links resolve. Empty when
     * nobody could. What does not exist yet is passed over.
     */
    Optional<String> ownershipProblem(Path path) throws IOException {
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
