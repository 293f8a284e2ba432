package io.tidemark.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFileTest {
    @TempDir private Path folder;

    private Path file(Path at, String mode) throws IOException {
        Files.writeString(at, "secret");
        Files.setPosixFilePermissions(at, PosixFilePermissions.fromString(mode));
        return at;
    }

    @Test
    void readsWhatOnlyItsOwnerCanRead() throws IOException {
        assertThat(SecretFile.read(file(folder.resolve("own"), "rw-------"))).isEqualTo("secret");
    }

    @Test
    void refusesWhatOthersCanReadOrChange() throws IOException {
        for (String mode : new String[] {"rw----r--", "rw-----w-", "rw--w----"}) {
            Path open = file(folder.resolve(mode), mode);
            assertThatThrownBy(() -> SecretFile.read(open))
                    .as(mode)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("chmod 600 " + open);
        }
        Files.createDirectories(folder.resolve("data"));
        file(folder.resolve("data").resolve("token"), "rw-r-----");
        Path link =
                Files.createSymbolicLink(
                        folder.resolve("linked"), Path.of("data").resolve("token"));
        assertThatThrownBy(() -> SecretFile.read(link))
                .as("any other link is followed")
                .isInstanceOf(IOException.class);
    }

    /** As the kubelet mounts a token for a Pod with a user and a group. */
    @Test
    void readsATokenOfAPodWithAGroup() throws IOException {
        Path version = Files.createDirectories(folder.resolve("..2026_11_26"));
        file(version.resolve("token"), "rw-r-----");
        Files.createSymbolicLink(folder.resolve("..data"), Path.of("..2026_11_26"));
        Path token =
                Files.createSymbolicLink(
                        folder.resolve("token"), Path.of("..data").resolve("token"));

        assertThat(SecretFile.read(token)).isEqualTo("secret");
        file(version.resolve("token"), "rw-r--r--");
        assertThatThrownBy(() -> SecretFile.read(token)).isInstanceOf(IOException.class);
    }
}
