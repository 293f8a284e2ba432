package io.tidemark.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadedFilesTest {
    @TempDir private Path folder;
    private final AtomicLong nanos = new AtomicLong();

    private ReloadedFiles<String> read(Path file) throws IOException {
        return new ReloadedFiles<>(
                "the file",
                () -> {
                    String text = Files.readString(file);
                    if (text.isEmpty()) {
                        throw new IllegalArgumentException("the file is empty");
                    }
                    return text;
                },
                text -> text.length() + " characters",
                nanos::get);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void noticesASwappedLink() throws Exception {
        Path old = Files.writeString(folder.resolve("old"), "old");
        Path now = Files.writeString(folder.resolve("new"), "new");
        Files.setLastModifiedTime(now, Files.getLastModifiedTime(old));
        Path link = Files.createSymbolicLink(folder.resolve("link"), old);
        ReloadedFiles<String> files = read(link);
        Path next = Files.createSymbolicLink(folder.resolve("next"), now);
        Files.move(next, link, StandardCopyOption.REPLACE_EXISTING);

        assertThat(files.get()).isEqualTo("old");
        pass(Duration.ofSeconds(1));
        assertThat(files.get()).isEqualTo("new");
    }

    @Test
    void keepsTheValueWhileTheContentIsTheSame() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "same");
        ReloadedFiles<String> files = read(file);
        String first = files.get();
        Files.writeString(file, "same");
        pass(Duration.ofSeconds(5));
        assertThat(files.get()).isSameAs(first);
    }

    @Test
    void keepsThePreviousContentWhileTheFileIsUnusable() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "old");
        ReloadedFiles<String> files = read(file);
        Files.writeString(file, "");
        pass(Duration.ofSeconds(1));
        assertThat(files.get()).isEqualTo("old");
        Files.delete(file);
        pass(Duration.ofSeconds(1));
        assertThat(files.get()).isEqualTo("old");
        Files.writeString(file, "new");
        pass(Duration.ofSeconds(1));
        assertThat(files.get()).isEqualTo("new");
    }

    @Test
    void failsWhenTheFirstContentIsUnusable() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> read(file)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> read(folder.resolve("none"))).isInstanceOf(IOException.class);
    }
}
