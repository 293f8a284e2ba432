package io.tidemark.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFolderTest {
    @TempDir private Path directory;

    private static String mode(Path folder) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
    }

    @Test
    void createsTheFolderAndItsParentsPrivate() throws Exception {
        Path folder = directory.resolve("a/b");
        assertThat(PrivateFolder.make(folder)).isFalse();
        assertThat(mode(folder)).isEqualTo("rwx------");
        assertThat(mode(directory.resolve("a"))).isEqualTo("rwx------");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void removesPermissionsOfOthersAlsoThroughASymlink() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("open"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), folder);
        assertThat(PrivateFolder.make(link)).isTrue();
        assertThat(mode(folder)).isEqualTo("rwx------");
        assertThat(PrivateFolder.make(folder)).isFalse();
    }

    @Test
    void refusesAFolderOfAnotherUser() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("foreign"));
        try {
            Files.setAttribute(folder, "unix:uid", 12_345);
        } catch (IOException e) {
            abort("needs root, who may give folders away: " + e);
        }
        assertThatThrownBy(() -> PrivateFolder.make(folder))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("belongs to 12345");
        assertThat(folder).isEmptyDirectory();
    }
}
