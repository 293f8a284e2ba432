package io.tidemark.nodeauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerSecretFileTest {
    private static final PeerSecret OLD = new PeerSecret("the-old-secret-of-all");
    private static final PeerSecret NEW = new PeerSecret("the-new-secret-of-all");

    @TempDir private Path folder;
    private final AtomicLong nanos = new AtomicLong();

    private Path write(String text, String permissions) throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private PeerSecretFile read(Path file) throws IOException {
        return new PeerSecretFile(file, nanos::get);
    }

    @Test
    void reloadsAChangedFileWithinASecond() throws Exception {
        PeerSecretFile secrets = read(write(OLD.text() + "\n", "rw-------"));
        assertThat(secrets.current()).containsExactly(OLD);
        write(NEW.text() + "\n" + OLD.text() + "\n\n", "rw-------");
        assertThat(secrets.current()).containsExactly(OLD);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(secrets.current()).containsExactly(NEW, OLD);
    }

    @Test
    void keepsThePreviousSecretsWhileTheFileIsUnusable() throws Exception {
        Path file = write(OLD.text(), "rw-------");
        PeerSecretFile secrets = read(file);
        write(NEW.text(), "rw-r--r--");
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(secrets.current()).containsExactly(OLD);
        Files.delete(file);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(secrets.current()).containsExactly(OLD);
        write(NEW.text(), "r--------");
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(secrets.current()).containsExactly(NEW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-", "rw-rw-rw-"})
    void refusesAFileThatOthersCanReadOrChange(String permissions) throws Exception {
        Path file = write(OLD.text(), permissions);
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("by others; run: chmod 600 " + file);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n\n",
                "short",
                "with a blank in it 123",
                "one-secret-of-three-of-them\nsecond-secret-of-three\nthird-secret-of-three"
            })
    void refusesAFileWithoutOneOrTwoSecrets(String text) throws Exception {
        Path file = write(text, "rw-------");
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("blank in it 123");
    }

    @Test
    void hidesTheSecretInToString() {
        assertThat(OLD.toString()).doesNotContain("old");
    }
}
